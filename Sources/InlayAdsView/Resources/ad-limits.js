// Reports a creative whose long tasks fill its thread, or that uses too much memory. This script runs before every
// script of the creative, in the creative's frame and in every `srcdoc` frame that the creative adds.
'use strict';

(() => {
  /** The time over which long tasks are added up, and the share of it above which a creative is reported. */
  const WINDOW_MILLISECONDS = 10_000;
  const BUSY_SHARE = 0.8;
  /** The maximum that one task counts, because a task also lasts while its process is suspended. The page's pings find
   * a thread that is blocked for longer. */
  const MAXIMUM_TASK_MILLISECONDS = 5000;
  const MEMORY_MILLISECONDS = 1000;
  const MEMORY_BYTES = 128 * 1024 * 1024;
  const MEMORY_CHECKS = 2;

  // Functions and objects used later are saved before the creative can change them.
  const { apply, getOwnPropertyDescriptor } = Reflect;
  const { min } = Math;
  const { performance: clock } = window;
  /**
   * The getter of a property; `undefined` where the object has none.
   * @type {(owner: object, name: string) => (() => any) | undefined}
   */
  const getter = (owner, name) => getOwnPropertyDescriptor(owner, name)?.get;
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

  // ---------------------------------------------------------------- long tasks

  // The browser itself reports tasks of more than 50 ms. The observer is in the creative's frame, because the frame can
  // have a process of its own, whose tasks are not reported to the app's page. The creative still cannot stop the
  // observer: only this function has it, and its entries are read by saved getters. Shorter tasks are not counted: the
  // browser lets other frames run in between, and no script can measure how much of the time between two of them was
  // work, and how much went to other programs.
  const { getEntries } = PerformanceObserverEntryList.prototype;
  const [nameOf, startOf, durationOf] = ['name', 'startTime', 'duration'].map(name => (
    getter(PerformanceEntry.prototype, name) ?? (() => undefined)
  ));
  let began = clock.now();
  let busy = 0;

  /** @param {PerformanceEntry} task */
  function count(task) {
    // Other sources are the app's page, several frames at once, or unknown frames.
    const source = apply(nameOf, task, []);
    if (source !== 'self' && source !== 'same-origin-descendant' && source !== 'cross-origin-descendant') return;
    const duration = apply(durationOf, task, []);
    const span = apply(startOf, task, []) + duration - began;
    busy += min(duration, MAXIMUM_TASK_MILLISECONDS);
    if (span < WINDOW_MILLISECONDS) return;
    if (busy > BUSY_SHARE * span) report('processor');
    began += span;
    busy = 0;
  }

  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
    new PerformanceObserver(list => {
      const tasks = apply(getEntries, list, []);
      for (let index = 0; index < tasks.length; index += 1) count(tasks[index]);
    }).observe({ type: 'longtask' });
  }

  // ---------------------------------------------------------------- memory

  const memoryOf = getter(Performance.prototype, 'memory');
  const usedOf = memoryOf && getter(Object.getPrototypeOf(/** @type {any} */ (clock).memory), 'usedJSHeapSize');
  const { addEventListener: listenTo } = EventTarget.prototype;
  if (memoryOf && usedOf) {
    // Not `setTimeout`: a creative could clear the timer by trying all numbers.
    /** @type {(milliseconds: number) => AbortSignal} */
    const after = /** @type {any} */ (AbortSignal).timeout.bind(AbortSignal);
    const used = () => apply(usedOf, apply(memoryOf, clock, []), []);
    const usedAtStart = used();
    let over = 0;
    const check = () => {
      over = used() - usedAtStart > MEMORY_BYTES ? over + 1 : 0;
      if (over >= MEMORY_CHECKS) report('memory');
      checkLater();
    };
    const checkLater = () => apply(listenTo, after(MEMORY_MILLISECONDS), ['abort', check]);
    checkLater();
  }
})();
