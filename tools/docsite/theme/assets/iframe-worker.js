/* A page opened from a folder must not start a worker, so the search runs in a hidden frame instead. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "Search";
      this.waiting = [];
      addEventListener("message", ({ source, data }) => {
        if (source !== frame.contentWindow) return;
        const heard = new MessageEvent("message", { data });
        this.dispatchEvent(heard);
        this.onmessage?.(heard);
      });
      frame.srcdoc = `<script>
        self.importScripts = (...urls) => urls.reduce((done, src) => done.then(() => new Promise((resolve, reject) => {
          const script = Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject });
          document.head.append(script);
        })), Promise.resolve());
        const send = parent.postMessage.bind(parent);
        self.postMessage = (data) => send(data, "*");
      </script><script src="${new URL(url, location)}"></script>`;
      frame.addEventListener("load", () => {
        const all = this.waiting;
        this.waiting = null;
        for (const data of all) this.postMessage(data);
      });
      this.frame = frame;
      document.body.append(frame);
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data, source: window }));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
