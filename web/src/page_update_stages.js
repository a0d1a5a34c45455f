// Queue that divides an update of the page into stages, because the whole update takes too long for one animation frame
// on a slow phone. The first stage runs at once, each further stage in a frame of its own.

export class FrameQueue {
  /** `frame(what)` calls a function before the next frame is drawn. */
  constructor(frame = (what) => requestAnimationFrame(what)) {
    this.frame = frame;
    this.rest = [];
    this.run = 0;
    this.within = false;
  }

  /** Finish the stages of the previous update at once, then start these stages. */
  begin(...stages) {
    this.finish();
    this.rest = stages;
    this.runNextStage();
    this.scheduleNextStage();
  }

  /** Run all remaining stages at once: before input is handled, before a new update and when the page is hidden. */
  finish() {
    // A stage may itself cause an event that calls this method, for example by restoring the focus.
    if (this.within) return;
    this.run += 1;
    while (this.rest.length) this.runNextStage();
  }

  runNextStage() {
    this.within = true;
    try {
      this.rest.shift()?.();
    } finally {
      this.within = false;
    }
  }

  scheduleNextStage() {
    if (!this.rest.length) return;
    const { run } = this;
    this.frame(() => {
      if (run !== this.run) return;
      this.runNextStage();
      this.scheduleNextStage();
    });
  }
}
