// Work that is too much for one frame of a slow phone, cut into stages: the first at once, each of the others in a frame of its own.

export class Stages {
  /** `frame(what)` calls back before the next frame is drawn. */
  constructor(frame = (what) => requestAnimationFrame(what)) {
    this.frame = frame;
    this.rest = [];
    this.run = 0;
    this.within = false;
  }

  /** What was begun before is done at once; then these stages follow each other. */
  begin(...stages) {
    this.finish();
    this.rest = stages;
    this.next();
    this.wait();
  }

  /** All that is left is done at once: somebody touches the table, or more has come, or nobody sees it. */
  finish() {
    // A stage may do what elsewhere calls for this: it gives the focus back.
    if (this.within) return;
    this.run += 1;
    while (this.rest.length) this.next();
  }

  next() {
    this.within = true;
    try {
      this.rest.shift()?.();
    } finally {
      this.within = false;
    }
  }

  wait() {
    if (!this.rest.length) return;
    const { run } = this;
    this.frame(() => {
      if (run !== this.run) return;
      this.next();
      this.wait();
    });
  }
}
