// @ts-check
// The position and the compass of the phone, which stay in this page, and its screen, which stays on.

import { headingOf, smoothed } from './direction.js';

/** @typedef {import('../types').Position} Position */
/** @typedef {{release: () => Promise<void>}} Lamp */
/** @typedef {{wakeLock?: {request: (kind: 'screen') => Promise<Lamp>}}} WakeNavigator unknown to TypeScript 4.8 */
/**
 * @typedef {object} SensorEvents
 * @property {(position: Position, accuracy: number) => void} moved accuracy in metres
 * @property {() => void} turned the heading has changed
 * @property {(error: unknown) => void} failed there is no position
 */

const SHARE = 0.25; // of a new reading of the compass, which trembles
const WALKING = 0.6; // metres a second from which the direction of movement is reliable
const COMPASS = ['deviceorientationabsolute', 'deviceorientation'];

export class Sensors {
  /** @param {SensorEvents} events */
  constructor(events) {
    this.events = events;
    /** @type {number | null} degrees clockwise from north */
    this.heading = null;
    /** @type {number | null} */
    this.watching = null;
    this.hasCompass = false;
    this.turn = (/** @type {Event} */ event) => this.read(/** @type {DeviceOrientationEvent} */ (event));
    /** @type {Lamp | null} keeps the screen on */
    this.lamp = null;
    this.light = () => { this.keepLight(); };
  }

  /** Starts both. Browsers ask for permission, so call it on a click. */
  async start() {
    if (!('geolocation' in navigator)) {
      this.events.failed(new Error('unsupported'));
      return;
    }
    this.watching ??= navigator.geolocation.watchPosition(
      ({ coords }) => {
        const { heading, speed } = coords;
        if (!this.hasCompass && heading !== null && !Number.isNaN(heading) && (speed ?? 0) >= WALKING) {
          this.heading = smoothed(this.heading, heading, 0.5);
        }
        this.events.moved([coords.longitude, coords.latitude], coords.accuracy);
      },
      (error) => this.events.failed(error),
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 2_000 },
    );
    for (const name of COMPASS) addEventListener(name, this.turn);
    document.addEventListener('visibilitychange', this.light);
    this.light();
    await askForCompass();
  }

  stop() {
    if (this.watching !== null) navigator.geolocation.clearWatch(this.watching);
    this.watching = null;
    for (const name of COMPASS) removeEventListener(name, this.turn);
    document.removeEventListener('visibilitychange', this.light);
    this.lamp?.release().catch(() => undefined);
    this.lamp = null;
  }

  /** Keeps the screen on during the walk. A browser ends this when another tab is shown. */
  async keepLight() {
    if (document.visibilityState !== 'visible') return;
    try {
      const { wakeLock } = /** @type {WakeNavigator} */ (/** @type {unknown} */ (navigator));
      this.lamp = await wakeLock?.request('screen') ?? null;
    } catch {
      // The battery is low, or the browser refuses it.
    }
  }

  /** @param {DeviceOrientationEvent} event */
  read(event) {
    const heading = headingOf(event, screen.orientation?.angle ?? 0);
    if (heading === null) return;
    this.hasCompass = true;
    this.heading = smoothed(this.heading, heading, SHARE);
    this.events.turned();
  }
}

/** Some browsers ask the user. Without permission there are no readings, and the arrow points as on a map. */
async function askForCompass() {
  const kind = /** @type {{requestPermission?: () => Promise<string>} | undefined} */ (
    /** @type {unknown} */ (globalThis.DeviceOrientationEvent));
  await kind?.requestPermission?.().catch(() => undefined);
}
