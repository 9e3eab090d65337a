import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { renderReport } from './render.ts';
import { sampleFinding, sampleReport } from './testing.ts';

/** The details of a finding, as they lie in the page. */
function details(page: string, index: number): Record<string, unknown> {
  const text = new RegExp(`id="finding-${index}">([^<]*)<`).exec(page)?.[1] ?? '';
  return JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString('utf8')) as Record<string, unknown>;
}

describe('the page', () => {
  test('is the same for the same input', () => {
    const input = sampleReport([sampleFinding(0), sampleFinding(1)]);
    expect(renderReport(input)).toBe(renderReport(input));
  });

  test('asks nothing of any other place', () => {
    const page = renderReport(sampleReport([sampleFinding(0)]));
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<(link|img|iframe|script[^>]*\bsrc)\b/);
    expect(page).not.toMatch(/@import|url\(|fetch\(|XMLHttpRequest|import\(/);
  });

  test('takes names as text', () => {
    const evil = '</script><script>alert(1)</script>';
    const finding = sampleFinding(0);
    const named = { ...finding, signature: evil, source: evil, explanation: { ...finding.explanation, name: evil } };
    const coverage = { columns: [evil], rows: [{ rule: evil, counts: [1] }] };
    const page = renderReport(sampleReport([named], { title: evil, summary: [evil], coverage }));
    expect(page).not.toContain('<script>alert');
    expect(details(page, 0)['name']).toBe(evil);
  });

  test('holds vector and traces, and leaves them out where the page would be too large', () => {
    const finding = sampleFinding(0);
    expect(details(renderReport(sampleReport([finding])), 0)).toMatchObject({ vector: finding.vector, left: '' });
    // What does not compress, more of it than a page may have.
    let state = 1;
    const noise = Array.from({ length: 1_200_000 }, () => {
      state = (state * 48271) % 2147483647;
      return state.toString(36);
    }).join('');
    const page = renderReport(sampleReport([{ ...finding, vector: noise }, { ...finding, vector: noise }, finding]));
    expect(page.length).toBeLessThan(10_000_000);
    expect(details(page, 0)).toMatchObject({ vector: null, traces: null });
    expect(details(page, 2)).toMatchObject({ vector: finding.vector, left: '' });
  });

  test('of nothing is a page too', () => {
    expect(renderReport(sampleReport([]))).toContain('Test report');
  });
});
