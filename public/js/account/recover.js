// @ts-check
// Asking for the mail that lets a new password be set.

import { startShell } from '../page/shell.js';
import { showRecover } from './recovery.js';

startShell().then(() => showRecover());
