// @ts-check
// The rounded area whose devices the street walk loads, so that the server never learns where the person is. Pure.
//
// The area is a block of three by three cells around the cell of the person. It depends only on that cell, which is at
// least about a kilometre wide.

import { boxText, wrapLongitude } from '../geography.js';

/** @typedef {import('../types').Box} Box */
/** @typedef {import('../types').Position} Position */

/** Heights of a cell in degrees (1.1 and 5.6 km), tried in this order until the block has a device to check. */
export const CELLS = Object.freeze([0.01, 0.05]);
const FURTHER = 'stale_on,observed_on,last_confirmed,signage,approximate,setting';
const DUE_DAYS = 60; // days before the stale day, as on the server
const PAGE = 1_000; // the most that the server lists at once
const WIDEST = 64; // cells of a row near a pole are at most so many times as wide as high, in degrees

/**
 * The width of the cells of a row in degrees: a power of two of the height, at least as many metres.
 * @param {number} row from the equator @param {number} size height of a cell in degrees
 */
function widthOf(row, size) {
  const farthest = Math.min(89.9, Math.max(Math.abs(row), Math.abs(row + 1)) * size);
  const stretch = 2 ** Math.ceil(Math.log2(1 / Math.cos((farthest * Math.PI) / 180)));
  return size * Math.min(WIDEST, stretch);
}

/**
 * The block around a position.
 * @param {Position} here @param {number} size height of a cell in degrees
 * @returns {Box}
 */
export function blockAround([longitude, latitude], size) {
  const row = Math.floor(latitude / size);
  const width = widthOf(row, size);
  const column = Math.floor(longitude / width);
  const tidy = (/** @type {number} */ degrees) => Math.round(degrees * 1e6) / 1e6;
  return [
    tidy(wrapLongitude((column - 1) * width)), tidy(Math.max(-90, (row - 1) * size)),
    tidy(wrapLongitude((column + 2) * width)), tidy(Math.min(90, (row + 2) * size)),
  ];
}

/**
 * The day until which a device must be stale to be loaded: later than the page asks for, and the same for a whole
 * month, so that the answer that the browser kept yesterday still serves offline today.
 * @param {Date} today
 */
export function dueDay(today) {
  const due = new Date(today.getTime() + DUE_DAYS * 86_400_000);
  return new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
}

/**
 * The request for the devices of a block that may need a look.
 * @param {Box} box @param {Date} today
 */
export function blockPath(box, today) {
  return `/api/collections/devices/items?${new URLSearchParams({
    bbox: boxText(box), limit: String(PAGE), properties: FURTHER,
    filter: `status IN ('reported','disputed') OR (status = 'confirmed' AND (stale_on <= DATE('${dueDay(today)}') `
      + "OR (operator IS NULL AND operator_kind = 'unknown')))",
  })}`;
}
