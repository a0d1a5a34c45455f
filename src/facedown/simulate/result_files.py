"""The parts of an experiment on disk: a manifest, and one Parquet file for each chunk.

The manifest (``experiment.json``) is written first. A part comes whole or not at all: it is written under another name,
brought to the disk, and renamed. What a crash may leave behind all the same, a file that is cut short, blank or
damaged, is told by the checksum of its rows and is no part. So a run in the same folder goes on where another one
stopped.
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

from facedown.simulate.experiment_chunks import Columns, columns_of, rows_of
from facedown.simulate.experiment_setup import BadExperiment, Setup
from facedown.simulate.i18n import _

MANIFEST = "experiment.json"
#: The end of the name of a file that is being written.
UNFINISHED_SUFFIX = ".half"
#: The keys in a part's own data under which it says what it is a part of, and by what its rows are known again.
MARK, CHUNK, DIGEST = b"facedown.experiment", b"facedown.chunk", b"facedown.rows"


class NotWritten(OSError):
    """A folder or a file of results cannot be written or read; the text says why in one line."""


def import_parquet() -> Any:
    """Parquet's module; `BadExperiment` says what to install where it is missing."""
    try:
        importlib.import_module("pyarrow")
        return importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise BadExperiment(_('results are kept by PyArrow: pip install "facedown[lab]"')) from None


def table_of(setup: Setup, chunk: int, columns: Columns) -> Any:
    """The columns of a chunk as an Arrow table that says what it is a part of."""
    import pyarrow as pa

    says = {MARK: setup.manifest_line.encode(), CHUNK: str(chunk).encode(), DIGEST: digest(columns)}
    return pa.table(columns).replace_schema_metadata(says)


def digest(columns: Columns) -> bytes:
    """A hash of all rows, by which they are known again."""
    found = hashlib.blake2b(digest_size=16)
    for name, column in columns.items():
        found.update(name.encode())
        found.update(np.ascontiguousarray(column).data)
    return found.hexdigest().encode()


@dataclass
class Folder:
    """The folder of an experiment."""

    setup: Setup
    path: Path

    def chunk_file(self, chunk: int) -> Path:
        """The file of a chunk."""
        return self.path / f"part-{chunk:06d}.parquet"

    def create_or_check(self) -> None:
        """Make the folder and write the manifest, or see that it is that of this experiment.

        `BadExperiment` if another one's results lie there, or other files; `NotWritten` if nothing can be written.
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
                    _("{folder} has other files in it: name a new folder, or that of an experiment", folder=self.path)
                )
            text = json.dumps(self.setup.manifest, indent=2, ensure_ascii=False) + "\n"
            write_file(manifest, text.encode())

    def _check_manifest(self, manifest: Path) -> None:
        """Raise `BadExperiment` unless the manifest is that of this experiment; it names the first difference."""
        try:
            found = json.loads(manifest.read_text("utf-8"))
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise BadExperiment(_("{file} is no manifest of an experiment", file=manifest))
        mine = self.setup.manifest
        for name in mine:
            if found.get(name) != mine[name]:
                raise BadExperiment(
                    _(
                        "{folder} holds another experiment: its {name} is {there}, not {here}",
                        folder=self.path,
                        name=name,
                        there=json.dumps(found.get(name), ensure_ascii=False),
                        here=json.dumps(mine[name], ensure_ascii=False),
                    )
                )

    def write(self, chunk: int, columns: Columns) -> None:
        """Keep a chunk; `NotWritten` if it could not be, and then there is no part of it."""
        sink = io.BytesIO()
        table = table_of(self.setup, chunk, columns)
        import_parquet().write_table(table, sink, compression="zstd", write_page_checksum=True)
        with _convert_os_errors(self.chunk_file(chunk)):
            write_file(self.chunk_file(chunk), sink.getbuffer())

    def complete_chunks(self) -> set[int]:
        """The numbers of the chunks that are kept whole."""
        return {chunk for chunk in range(self.setup.chunks) if self.table(chunk) is not None}

    def read(self, chunk: int) -> Columns | None:
        """The rows of a chunk; None where they were not kept, or are not whole."""
        table = self.table(chunk)
        return None if table is None else self._columns(table)

    def _columns(self, table: Any) -> Columns:
        kinds = columns_of(self.setup)
        return {name: table[name].to_numpy().astype(kind, copy=False) for name, kind in kinds.items()}

    def table(self, chunk: int) -> Any:
        """The same as an Arrow table; `NotWritten` where the part cannot be read."""
        parquet, file = import_parquet(), self.chunk_file(chunk)
        with _convert_os_errors(file):
            # Read at once: what is wrong with a disk is told apart from what is wrong with a file.
            held = file.read_bytes() if file.exists() else b""
        try:
            table = parquet.read_table(io.BytesIO(held), page_checksum_verification=True)
            true = table_of(self.setup, chunk, self._columns(table))
        except Exception:  # noqa: BLE001 - what damage may raise in the library is not written down
            return None
        # Also the kinds of the columns: who reads the folder with another program finds what its own schema says.
        said = table.schema.metadata or {}
        whole = table.num_rows == rows_of(self.setup, chunk) and table.equals(true)
        return table if whole and said.items() >= true.schema.metadata.items() else None

    def remove_unfinished_files(self) -> None:
        """Take away what runs that were cut off have left half written."""
        with contextlib.suppress(OSError):
            for left in filter(_is_unfinished, self.path.iterdir()):
                left.unlink()


def _is_unfinished(file: Path) -> bool:
    return file.name.startswith(".") and file.name.endswith(UNFINISHED_SUFFIX)


def write_file(file: Path, data: Any) -> None:
    """Write a file whole or not at all, and bring it to the disk."""
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
    # The names in the folder, too, where the system can.
    with contextlib.suppress(OSError):
        handle = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _convert_os_errors(where: Path) -> Iterator[None]:
    """What the system refuses of a folder or a file, as `NotWritten`."""
    try:
        yield
    except OSError as problem:
        raise NotWritten(_("{path}: {problem}", path=where, problem=problem.strerror or problem)) from None
