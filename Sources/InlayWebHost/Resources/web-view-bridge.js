// The connection of a page to the app's web view. The host runs this script before all others, in the page and not in
// its frames, and calls it with a token. A frame has the same message handler, but not the token.

/** @param {string} token */
token => {
  const host = /** @type {any} */ (window);
  const handler = host.webkit.messageHandlers.inlay;
  /** @type {(text: string) => void} */
  let receive = () => {};
  let isOpen = false;
  /** @type {string[]} */
  const waiting = [];
  Object.defineProperties(host, {
    inlayBridge: {
      value: Object.freeze({
        /** @param {string} text */
        send(text) {
          if (isOpen) handler.postMessage(token + text);
          else waiting.push(text);
        },
        /**
         * @param {(text: string) => void} onMessage
         * @param {() => void} onOpen
         */
        open(onMessage, onOpen) {
          receive = onMessage;
          isOpen = true;
          // `onOpen` sends the first message, `ready`; the waiting messages follow.
          onOpen();
          for (const text of waiting.splice(0)) handler.postMessage(token + text);
        },
      }),
    },
    inlayReceive: { value: /** @param {string} text */ text => receive(text) },
  });
}
