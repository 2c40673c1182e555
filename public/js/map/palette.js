// @ts-check
// The colours of the map for the light and the dark theme. The colours of the page are in css/tokens.css.

/**
 * @typedef {object} Palette
 * @property {string} water @property {string} shallow @property {string} land @property {string} coast
 * @property {string} river @property {string} border @property {string} region
 * @property {string} label @property {string} quiet @property {string} halo
 * @property {string} street @property {string} casing @property {string} building @property {string} park
 * @property {string} paper background of markers @property {string} ink @property {string} sea
 * @property {string[]} heat from low to high counts; they differ in lightness too
 * @property {string} disputed @property {string} gone @property {string} beam
 * @property {Record<import('../families.js').Family, string>} families colours of the families of categories. They
 *   differ for readers with any kind of colour blindness, and by 3:1 from the background. css/tokens.css repeats them.
 * @property {string} rest the part of a ring for all other categories
 */

/** @type {Record<'light' | 'dark', Palette>} */
export const PALETTES = {
  light: {
    water: '#c9dce8', shallow: '#dbe9f1', land: '#f7f4ee', coast: '#a9c1d0', river: '#b7d0df',
    border: '#9a93a8', region: '#cfc8cf', label: '#24384a', quiet: '#566777', halo: '#fbf9f5',
    street: '#ffffff', casing: '#dcd5c9', building: '#e8e2d8', park: '#dfe8d3',
    paper: '#ffffff', ink: '#0b2545', sea: '#0f4c81', disputed: '#b23c17',
    gone: '#5c6b79', beam: '#ffc857', rest: '#cfd9e2',
    families: {
      camera: '#0a2c7e', plate: '#e06500', sound: '#b512b0', radio: '#076b52', sensor: '#2b2000', other: '#828a99',
    },
    heat: ['#ffe9b8', '#ffc857', '#f0913a', '#d2551f', '#8f2710'],
  },
  dark: {
    water: '#061321', shallow: '#0a1c2e', land: '#22344a', coast: '#4a6886', river: '#0f2438',
    border: '#64748a', region: '#36495f', label: '#dbe5ee', quiet: '#a3b4c4', halo: '#0f1f2f',
    street: '#3d546c', casing: '#1a2938', building: '#2b4058', park: '#213f40',
    paper: '#0f1f2f', ink: '#f1f6fa', sea: '#8fc7f2', disputed: '#ff9b73',
    gone: '#93a3b3', beam: '#ffc857', rest: '#33495e',
    families: {
      camera: '#8fdcff', plate: '#ef4d0d', sound: '#d650de', radio: '#1f937c', sensor: '#ffe152', other: '#93aeb4',
    },
    heat: ['#3f3324', '#7a4d1f', '#b9682a', '#ef9a45', '#ffe0a3'],
  },
};
