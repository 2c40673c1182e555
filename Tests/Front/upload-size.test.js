import assert from 'node:assert/strict';
import test from 'node:test';

import { LONGEST_FORM, sizeFault } from '../../public/js/mapping/upload-size.js';

test('a file that leaves room for the other fields may be sent', () => {
  assert.equal(sizeFault({ size: 0 }), null);
  assert.equal(sizeFault({ size: LONGEST_FORM - 65_536 }), null);
  assert.notEqual(sizeFault({ size: LONGEST_FORM - 65_535 }), null);
});
