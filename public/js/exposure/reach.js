// @ts-check
// How far devices of each category collect, and how wide they see. Pure. docs/explanation/exposure.md has the sources.

/**
 * @typedef {object} Reach
 * @property {number} range metres; 0: the device collects nothing about people who pass
 * @property {number | null} view degrees that a device with a direction sees, if its record has no field of view; null:
 *   all around
 */

/** @param {number} range @param {number | null} [view] @returns {Reach} */
const reach = (range, view = null) => Object.freeze({ range, view });

/** @type {Readonly<Record<string, Reach>>} by the code of the category */
const REACH = Object.freeze({
  camera_fixed: reach(40, 90),
  camera_ptz: reach(60),
  doorbell_camera: reach(10, 160),
  alpr: reach(25, 40),
  traffic_enforcement: reach(40, 40),
  biometric_camera: reach(20, 60),
  depth_thermal: reach(20, 90),
  mobile_camera: reach(20),
  webcam: reach(60, 90),
  smart_speaker: reach(5),
  microphone: reach(10),
  radio_counter: reach(50),
  wifi_hotspot: reach(50),
  beacon: reach(30),
  access_control: reach(2),
  occupancy: reach(10),
  smart_meter: reach(0),
  environment: reach(0),
  smart_display: reach(10, 90),
  parking_mobility: reach(15),
  wearable_health: reach(0),
  home_appliance: reach(0),
  toy: reach(5),
});

const OTHER = reach(15);

/** @param {string} category @returns {Reach} */
export function reachOf(category) {
  return Object.hasOwn(REACH, category) ? REACH[category] : OTHER;
}
