// The page's side of a surface: applies patches, sends the user's actions, and keeps focus, input and scroll position
// while the content changes. It draws nothing of its own and holds no state of a feature. It is the last script of the
// page, so that the feature's script has added its hooks before the page is connected.

import { connect, send } from './bridge.js';
import { environment } from './environment.js';
import { navigate } from './events.js';
import { applyPatch, beginConnection } from './patches.js';
import { reportSize } from './size.js';

connect(({ kind, payload }) => {
  if (kind === 'patch') applyPatch(payload);
  if (kind === 'navigate') navigate(payload.url);
}, () => {
  beginConnection();
  send('ready', environment());
  reportSize();
});
