// @ts-check
// Page that requests the e-mail for setting a new password.

import { startShell } from '../shell/shell.js';
import { showRecover } from './recovery.js';

startShell().then(() => showRecover());
