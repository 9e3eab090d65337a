/** The browser in which the HTML report is tested. */

import { existsSync } from 'node:fs';

/** Where one usually lies. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium that `HOLODIFF_CHROMIUM` names, or one in a usual place. */
export function findChromium({ HOLODIFF_CHROMIUM: named }: NodeJS.ProcessEnv): string | undefined {
  return [...(named === undefined || named === '' ? [] : [named]), ...PLACES].find((file) => existsSync(file));
}
