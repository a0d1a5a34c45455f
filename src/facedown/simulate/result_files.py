"""Result files of an experiment: a manifest, and one Parquet file per chunk (range of deals).

The manifest (``experiment.json``) has the settings of the experiment and is written first. Each file is written
atomically: under a temporary name, flushed to disk, then renamed. A crash may still leave a truncated, empty or damaged
Parquet file. Each Parquet file contains a checksum of its rows, so such damage is detected when the file is read.

A later run with the same folder continues where the earlier run stopped. It plays the deals of missing and damaged
files.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from facedown.simulate.experiment_chunks import Columns, column_types_of, row_count_of_chunk
from facedown.simulate.experiment_setup import BadExperiment, Setup
from facedown.simulate.i18n import _

MANIFEST = "experiment.json"
#: Suffix of the temporary name of a file that is being written.
UNFINISHED_SUFFIX = ".half"
#: Metadata keys of a Parquet file: the manifest of its experiment, the number of its chunk, and the checksum of its
#: rows.
MARK, CHUNK, DIGEST = b"facedown.experiment", b"facedown.chunk", b"facedown.rows"


class NotWritten(OSError):
    """Error: a folder or file of results cannot be written or read. The text gives the reason in one line."""


def import_parquet() -> Any:
    """Import and return the module ``pyarrow.parquet``.

    If PyArrow is not installed, raise `BadExperiment`. The text of the error says what to install.
    """
    try:
        importlib.import_module("pyarrow")
        return importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise BadExperiment(_('PyArrow is not installed: pip install "facedown[lab]"')) from None


def arrow_table_of_chunk(setup: Setup, chunk: int, columns: Columns) -> Any:
    """Return the results of a chunk (range of deals) as an Arrow table with the given columns, one row per match.

    The table's metadata are the manifest of the experiment, the chunk number, and a checksum of the columns.
    """
    import pyarrow as pa

    says = {MARK: setup.manifest_line.encode(), CHUNK: str(chunk).encode(), DIGEST: table_checksum(columns)}
    return pa.table(columns).replace_schema_metadata(says)


def table_checksum(columns: Columns) -> bytes:
    """Return the checksum of a table: a BLAKE2b hash of the names and values of all columns, in hexadecimal digits."""
    found = hashlib.blake2b(digest_size=16)
    for name, column in columns.items():
        found.update(name.encode())
        found.update(np.ascontiguousarray(column).data)
    return found.hexdigest().encode()


@dataclass
class Folder:
    """Folder at `path` that contains the results of the experiment `setup`. The methods write and read its files.

    The files are the manifest (settings of the experiment) and one Parquet file per chunk (range of deals). The folder
    need not exist before `create_or_check` is called.
    """

    setup: Setup
    path: Path

    def chunk_file(self, chunk: int) -> Path:
        """Return the path of the file for the chunk (range of deals) with this number."""
        return self.path / f"part-{chunk:06d}.parquet"

    def create_or_check(self) -> None:
        """Create the folder and write the manifest, or check that an existing manifest belongs to this experiment.

        Raise `BadExperiment` if the folder has results of another experiment or other files, `NotWritten` if writing
        fails.
        """
        import_parquet()
        manifest = self.path / MANIFEST
        with _convert_os_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            if manifest.exists():
                self._check_manifest(manifest)
                return
            if not all(_is_unfinished(file) for file in self.path.iterdir()):
                raise BadExperiment(
                    _("{folder} contains other files; choose a new folder or an experiment’s folder", folder=self.path)
                )
            text = json.dumps(self.setup.manifest, indent=2, ensure_ascii=False) + "\n"
            write_file_atomically(manifest, text.encode())

    def _check_manifest(self, manifest: Path) -> None:
        """Raise `BadExperiment` if the manifest belongs to another experiment; the text names the first setting that
        differs.
        """
        try:
            found = json.loads(manifest.read_text("utf-8"))
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise BadExperiment(_("{file} is not a valid experiment manifest", file=manifest))
        mine = self.setup.manifest
        for name in mine:
            if found.get(name) != mine[name]:
                raise BadExperiment(
                    _(
                        "{folder} belongs to another experiment: {name} is {there}, not {here}",
                        folder=self.path,
                        name=name,
                        there=json.dumps(found.get(name), ensure_ascii=False),
                        here=json.dumps(mine[name], ensure_ascii=False),
                    )
                )

    def write(self, chunk: int, columns: Columns) -> None:
        """Write the file of a chunk (range of deals), and replace any earlier file of the chunk.

        If that fails, raise `NotWritten`. No incomplete file is left, and an earlier file stays unchanged.
        """
        sink = io.BytesIO()
        table = arrow_table_of_chunk(self.setup, chunk, columns)
        import_parquet().write_table(table, sink, compression="zstd", write_page_checksum=True)
        with _convert_os_errors(self.chunk_file(chunk)):
            write_file_atomically(self.chunk_file(chunk), sink.getbuffer())

    def complete_chunk_numbers(self) -> set[int]:
        """Return the numbers of all chunks (ranges of deals) whose files are complete and undamaged."""
        return {chunk for chunk in range(self.setup.chunk_count) if self.read_arrow_table(chunk) is not None}

    def read(self, chunk: int) -> Columns | None:
        """Return the data of a chunk (range of deals): name of a column → array with one value per match.

        Return None if the file of the chunk is missing, incomplete or damaged.
        """
        table = self.read_arrow_table(chunk)
        return None if table is None else self._columns_of_arrow_table(table)

    def _columns_of_arrow_table(self, table: Any) -> Columns:
        kinds = column_types_of(self.setup)
        return {name: table[name].to_numpy().astype(kind, copy=False) for name, kind in kinds.items()}

    def read_arrow_table(self, chunk: int) -> Any:
        """Return a chunk (range of deals) as an Arrow table; None if its file is missing, incomplete or damaged.

        Raise `NotWritten` if the operating system cannot read the file.
        """
        parquet, file = import_parquet(), self.chunk_file(chunk)
        with _convert_os_errors(file):
            # Read the bytes before parsing them, so that a read error of the disk is not mistaken for a damaged file.
            held = file.read_bytes() if file.exists() else b""
        try:
            table = parquet.read_table(io.BytesIO(held), page_checksum_verification=True)
            true = arrow_table_of_chunk(self.setup, chunk, self._columns_of_arrow_table(table))
        except Exception:  # noqa: BLE001 - for damaged files PyArrow documents no exceptions
            return None
        # Also compare the types of the columns, because other programs that read the folder rely on the schema in each
        # file.
        said = table.schema.metadata or {}
        whole = table.num_rows == row_count_of_chunk(self.setup, chunk) and table.equals(true)
        return table if whole and said.items() >= true.schema.metadata.items() else None

    def remove_unfinished_files(self) -> None:
        """Remove the temporary files of interrupted runs."""
        with contextlib.suppress(OSError):
            for left in filter(_is_unfinished, self.path.iterdir()):
                left.unlink()


def _is_unfinished(file: Path) -> bool:
    return file.name.startswith(".") and file.name.endswith(UNFINISHED_SUFFIX)


def write_file_atomically(file: Path, data: Any) -> None:
    """Write a file and flush it to disk. The write is atomic: an existing file stays until the new one is complete."""
    half = file.with_name(f".{file.name}.{os.getpid()}{UNFINISHED_SUFFIX}")
    try:
        with half.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        half.replace(file)
    finally:
        with contextlib.suppress(OSError):
            half.unlink()
    # Flush the folder as well, so that the rename survives a crash; not every system allows this.
    with contextlib.suppress(OSError):
        handle = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _convert_os_errors(where: Path) -> Iterator[None]:
    """Convert an `OSError` in the ``with`` block into a `NotWritten` that names the path `where`."""
    try:
        yield
    except OSError as problem:
        raise NotWritten(_("{path}: {problem}", path=where, problem=problem.strerror or problem)) from None
