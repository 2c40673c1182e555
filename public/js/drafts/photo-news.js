// @ts-check
// Notifies the open pages of this browser that a photo of a device has been sent: the page of the device may show it,
// and another tab may have sent it.

const CHANNEL = 'photo-sent';

/** @param {string | null} device its id */
export function photoSent(device) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(device);
  channel.close();
}

/** @param {string} device its id @param {() => void} act */
export function onPhotoSent(device, act) {
  new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }) => { if (data === device) act(); });
}
