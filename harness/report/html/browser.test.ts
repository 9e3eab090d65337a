/**
 * The report in a real browser. It needs a Chromium: that of `HOLODIFF_CHROMIUM`, or one in a usual place; without one
 * these tests are skipped, and it is said.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../doctor/chromium.ts';
import { renderReport } from './render.ts';
import { sampleFinding, sampleReport } from './testing.ts';

const executable = findChromium(process.env);

if (executable === undefined) {
  console.warn('the HTML report is NOT tested in a browser: no Chromium found; name one in HOLODIFF_CHROMIUM');
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

describe.skipIf(executable === undefined)('the report in Chromium', () => {
  let folder: string;
  let browser: Browser;
  const small = () => renderReport(sampleReport(Array.from({ length: 10 }, (_, index) => sampleFinding(index))));

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'holodiff-report-'));
    writeFileSync(path.join(folder, 'small.html'), small());
    browser = await chromium.launch({ executablePath: executable!, args: FLAGS });
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a page that must neither fail nor ask the network. */
  async function open(file: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options);
    page.on('pageerror', (error) => {
      throw error;
    });
    page.on('request', (request) => {
      if (!request.url().startsWith('file:') && !request.url().startsWith('blob:')) throw new Error(request.url());
    });
    await page.goto(pathToFileURL(path.join(folder, file)).href);
    await page.waitForSelector('html[data-ready]');
    return page;
  }

  /** The value of an expression in the page. As text, since the project has no types of a browser's. */
  const ask = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression);
  const visible = (page: Page) => page.locator('nav li:not([hidden])').count();
  const heading = (page: Page) => page.locator('article h2').textContent();

  test('opens on the first finding, with its lanes and its first difference', async () => {
    const page = await open('small.html');
    await page.waitForSelector('article h2');
    expect(await heading(page)).toBe('frame-queue/open-channel-of-an-id-closed-before/0');
    expect(await page.locator('.names .lane').allTextContents()).toEqual(['typescript', 'kona', 'op-node']);
    expect(await page.locator('.line.first').count()).toBe(2);
    const marks = await page.locator('.line.first').first().locator('.mark').all();
    expect(await Promise.all(marks.map((mark) => mark.getAttribute('aria-label')))).toEqual([
      'typescript has not',
      'kona has it',
      'op-node has not',
    ]);
    const reason = await page.locator('.reason').first().textContent();
    expect(reason).toContain('frame dropped: frame-queue/new-first-drops-open');
    expect(await page.locator('.verdict a').getAttribute('href')).toBe(
      'https://specs.optimism.io/protocol/holocene/derivation.html#frame-queue',
    );
    await page.close();
  });

  test('works by keyboard', async () => {
    const page = await open('small.html');
    await page.waitForSelector('article h2');
    await page.keyboard.press('j');
    // Asked from outside: the page's own policy forbids the evaluation that a wait inside of it would need.
    await expect.poll(() => new URL(page.url()).hash).toBe('#2');
    expect(await page.locator('nav button[aria-current="true"]').count()).toBe(1);
    await page.keyboard.press('k');
    await expect.poll(() => new URL(page.url()).hash).toBe('#1');
    await page.keyboard.press('/');
    await page.keyboard.type('parent-hash some-entry');
    expect(await visible(page)).toBe(1);
    // Keys that mean something elsewhere are letters here.
    expect(await page.locator('#text').inputValue()).toBe('parent-hash some-entry');
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await expect.poll(() => heading(page)).toContain('parent-hash');
    await page.keyboard.press('Enter');
    expect(await heading(page)).toContain('single/parent-hash-of-rival');
    await page.close();
  });

  test('filters by implementation, boundary, rule, and new or known', async () => {
    const page = await open('small.html');
    expect(await page.locator('#shown').textContent()).toBe('10 of 10');
    await page.selectOption('#alone', 'op-node');
    expect(await visible(page)).toBe(3);
    await page.selectOption('#alone', '');
    await page.selectOption('#state', 'known');
    expect(await visible(page)).toBe(5);
    await page.selectOption('#rule', 'single/parent-hash');
    expect(await visible(page)).toBe(1);
    expect(await page.locator('#shown').textContent()).toBe('1 of 10');
    await page.selectOption('#boundary', 'frames');
    expect(await visible(page)).toBe(0);
    await page.close();
  });

  test('shows decoded content and bytes on demand', async () => {
    const page = await open('small.html');
    await page.waitForSelector('article h2');
    expect(await page.locator('article pre').count()).toBe(0);
    await page.locator('.content summary', { hasText: 'decoded' }).first().click();
    const blocks = page.locator('.content[open] pre');
    await blocks.nth(1).waitFor();
    expect(await blocks.first().textContent()).toContain('parent hash');
    const colours =
      '[...document.querySelectorAll(".content[open] pre span")].map((one) => getComputedStyle(one).color)';
    expect(new Set((await ask(page, colours)) as string[]).size).toBeGreaterThan(4);
    await page.close();
  });

  test('has light and dark colours, and fits a phone', async () => {
    const grounds = new Set<unknown>();
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open('small.html', { colorScheme, viewport: { width: 390, height: 844 } });
      grounds.add(await ask(page, 'getComputedStyle(document.body).backgroundColor'));
      // The list alone, then the finding alone, and back.
      expect(await page.locator('article').isVisible()).toBe(false);
      for (const index of [0, 1, 2, 3, 4]) {
        await page.locator('nav button').nth(index).click();
        await page.waitForSelector('article h2');
        expect(await page.locator('nav').isVisible()).toBe(false);
        for (const summary of await page.locator('.content summary').all()) await summary.click();
        expect(await ask(page, 'document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
        await page.locator('#back').click();
        expect(await page.locator('nav').isVisible()).toBe(true);
      }
      await page.close();
    }
    expect(grounds.size).toBe(2);
  });

  test('every control can be reached by Tab', async () => {
    const page = await open('small.html');
    await page.waitForSelector('article h2');
    const reached = new Set<unknown>();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      reached.add(await ask(page, 'document.activeElement.tagName + " " + document.activeElement.id'));
    }
    for (const control of ['INPUT text', 'SELECT state', 'SELECT alone', 'SELECT boundary', 'SELECT rule']) {
      expect(reached).toContain(control);
    }
    expect([...reached].some((one) => String(one).startsWith('SUMMARY'))).toBe(true);
    await page.close();
  });

  test('with 1,000 findings stays small and lists them all', async () => {
    const samples = Array.from({ length: 30 }, (_, index) => sampleFinding(index));
    const many = Array.from({ length: 1000 }, (_, index) => {
      const sample = samples[index % samples.length]!;
      return { ...sample, signature: `${sample.signature} ${index}` };
    });
    const html = renderReport(sampleReport(many));
    expect(Buffer.byteLength(html)).toBeLessThan(10_000_000);
    writeFileSync(path.join(folder, 'many.html'), html);
    const page = await open('many.html');
    const ready = await ask(page, 'document.documentElement.dataset.ready');
    expect(await visible(page)).toBe(1000);
    await page.close();
    // How fast it is is told and not asserted: it is the machine's affair as well.
    console.log(`1,000 findings: ${(html.length / 1e6).toFixed(1)} MB, list ready after ${String(ready)} ms`);
  });
});
