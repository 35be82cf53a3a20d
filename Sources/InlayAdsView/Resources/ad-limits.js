// Reports a creative that uses too much of the processor or of memory. It runs before every script of the creative, in
// the creative's frame and in every `srcdoc` frame that the creative adds.
'use strict';

(() => {
  const BUSY_SHARE = 0.8;
  const BUSY_MILLISECONDS = 5000;
  const WINDOW_MILLISECONDS = 1000;
  /** The maximum that one delay counts, because a suspended process is not a busy one. */
  const LONGEST_DELAY = 4500;
  /** The shares of a window, used by scripts or of late timers, above which a creative is suspect. Samples of the
   * thread then follow one another without a pause. */
  const SUSPECT_SHARE = 0.5;
  const SUSPECT_DELAY = 0.08;
  /** The duration of one sample of the thread, and the shortest gap in it that counts as work of another script. */
  const LOOK_MILLISECONDS = 12;
  const SHORTEST_WORK = 0.25;
  /** The duration of a measurement of the system's own load, and the shortest jump of the clock that counts as load. */
  const TRIAL_MILLISECONDS = 30;
  const JUMP_MILLISECONDS = 2;
  /** The share without the system's load from which on a creative is reported. */
  const CREATIVES_SHARE = 0.65;
  const MEMORY_BYTES = 128 * 1024 * 1024;
  const MEMORY_WINDOWS = 2;

  // Functions used later are saved before the creative can change them.
  const { apply, getOwnPropertyDescriptor } = Reflect;
  const later = setTimeout.bind(window);
  const now = performance.now.bind(performance);
  const never = clearTimeout.bind(window);
  const { min, random } = Math;
  /**
   * The getter of a property; `undefined` where the object has none.
   * @type {(owner: object, name: string) => (() => any) | undefined}
   */
  const getter = (owner, name) => getOwnPropertyDescriptor(owner, name)?.get;
  const isHidden = getter(Document.prototype, 'hidden') ?? (() => false);
  const memoryOf = getter(Performance.prototype, 'memory');
  const usedOf = memoryOf && getter(Object.getPrototypeOf(/** @type {any} */ (performance).memory), 'usedJSHeapSize');
  /** @type {((message: object, origin: string) => void)[]} */
  const ancestors = [];
  for (let each = /** @type {Window} */ (window); each !== each.parent;) {
    each = each.parent;
    ancestors.push(each.postMessage.bind(each));
  }

  /**
   * Reports to the app's page, however deeply this frame is nested. The frames in between get nothing secret.
   * @param {'processor' | 'memory'} burden
   */
  function report(burden) {
    for (let index = 0; index < ancestors.length; index += 1) ancestors[index]({ inlayAd: 'heavy', burden }, '*');
  }

  let start = now();
  let delayed = 0;
  /** The duration of the current busy period, and the time in it that scripts used. */
  let busy = 0;
  let used = 0;
  let isSuspect = false;
  /** The sampled time of this window, and the part of it that other scripts used; longer tasks count as delays. */
  let watched = 0;
  let taken = 0;
  let lookBegan = 0;
  let lastTurn = 0;
  let timer = 0;
  /** @type {number | undefined} */
  let memoryAtStart;
  let overWindows = 0;

  /** Measures how late a timer fires, which is the time for which other scripts held the thread. The interval is
   * random: a fixed one could always fall between two tasks of a creative with the same interval. */
  function probe() {
    const time = (isSuspect ? 4 : 32) * (1 + random());
    const due = now() + time;
    timer = later(() => {
      const at = now();
      if (at > due) delayed += min(at - due, LONGEST_DELAY);
      if (at - start >= WINDOW_MILLISECONDS) measure(at);
      if (isClockFine && (isSuspect || watched === 0)) look(at);
      else probe();
    }, time);
  }

  // The handle is converted only once: an object could give the timer's id at a second conversion.
  for (const name of ['clearTimeout', 'clearInterval']) {
    Object.defineProperty(window, name, {
      configurable: true, writable: true,
      /** @param {number} handle */
      value(handle) {
        const id = handle | 0;
        if (id !== timer) never(id);
      },
    });
  }

  // A sample queues one task after the other for some milliseconds; the gaps between its tasks are the time of other
  // scripts. It finds many short tasks, which delay no timer for long.
  const { port1: turns, port2: line } = new MessageChannel();
  const takeTurn = line.postMessage.bind(line, 0);

  /** @param {number} at */
  function look(at) {
    lookBegan = lastTurn = at;
    takeTurn();
  }

  turns.onmessage = () => {
    const at = now();
    const gap = at - lastTurn;
    lastTurn = at;
    if (gap > LOOK_MILLISECONDS) {
      delayed += min(gap, LONGEST_DELAY);
    } else {
      watched += gap;
      if (gap >= SHORTEST_WORK) taken += gap;
    }
    if (at - lookBegan < LOOK_MILLISECONDS) takeTurn();
    else probe();
  };

  /** Whether the clock measures short gaps: in some browsers it has steps of a millisecond. */
  function hasFineClock() {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const before = now();
      let first = before;
      while (first === before) first = now();
      let second = first;
      while (second === first) second = now();
      if (second - first < SHORTEST_WORK) return true;
    }
    return false;
  }

  /** @param {number} at */
  function measure(at) {
    const span = at - start;
    const late = min(delayed / span, 1);
    // The sampled share counts for all the time in which nothing was delayed.
    const share = late + (1 - late) * (watched > 0 ? taken / watched : 0);
    isSuspect = share > SUSPECT_SHARE || (!isSuspect && late > SUSPECT_DELAY);
    [start, delayed, watched, taken] = [at, 0, 0, 0];
    // Browsers slow down the timers of a hidden page.
    if (apply(isHidden, document, [])) {
      [busy, used] = [0, 0];
      return;
    }
    const counted = share >= BUSY_SHARE ? min(span, LONGEST_DELAY) : 0;
    [busy, used] = counted > 0 ? [busy + counted, used + counted * share] : [0, 0];
    if (busy >= BUSY_MILLISECONDS) {
      const mean = used / busy;
      [busy, used] = [0, 0];
      if (withoutSystem(mean) >= CREATIVES_SHARE) report('processor');
    }
    if (memoryOf && usedOf) measureMemory(apply(usedOf, apply(memoryOf, performance, []), []));
  }

  /**
   * The share of scripts without the system's load. No script interrupts this one, so the system causes its lost time,
   * and takes the same part of the time that other scripts seemed to use.
   * @param {number} share
   */
  function withoutSystem(share) {
    const began = now();
    let last = began;
    let lost = 0;
    while (last - began < TRIAL_MILLISECONDS) {
      const at = now();
      if (at - last > JUMP_MILLISECONDS) lost += at - last;
      last = at;
    }
    const part = min(lost / (last - began), 0.95);
    return share - (1 - share) * part / (1 - part);
  }

  /** @param {number} used */
  function measureMemory(used) {
    memoryAtStart ??= used;
    overWindows = used - memoryAtStart > MEMORY_BYTES ? overWindows + 1 : 0;
    if (overWindows < MEMORY_WINDOWS) return;
    overWindows = 0;
    report('memory');
  }

  const isClockFine = hasFineClock();
  if (memoryOf && usedOf) memoryAtStart = apply(usedOf, apply(memoryOf, performance, []), []);
  probe();
})();
