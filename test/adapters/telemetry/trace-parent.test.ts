import { expect } from 'chai';
import { readTraceParent, writeTraceParent } from '../../../adapters/telemetry/tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('A traceparent header', () => {
  it('is read and written as W3C Trace Context has it', () => {
    const parent = readTraceParent(`00-${TRACE}-${SPAN}-01`);
    expect(parent).to.deep.equal({ traceId: TRACE, spanId: SPAN, traceFlags: 1 });
    expect(parent && writeTraceParent(parent)).to.equal(`00-${TRACE}-${SPAN}-01`);
    expect(writeTraceParent({ traceId: TRACE, spanId: SPAN, traceFlags: 0 })).to.match(/-00$/);
  });

  it('of a later version may hold more, of which nothing is read', () => {
    expect(readTraceParent(`01-${TRACE}-${SPAN}-03-what-else`)?.traceFlags).to.equal(1);
  });

  for (const [what, header] of [
    ['nothing', undefined],
    ['two of them', [`00-${TRACE}-${SPAN}-01`]],
    ['more behind the flags', `00-${TRACE}-${SPAN}-01-x`],
    ['the version that is none', `ff-${TRACE}-${SPAN}-01`],
    ['a trace of noughts', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of noughts', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['too little', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a line more', `00-${TRACE}-${SPAN}-01\n`],
  ] as const) {
    it(`is none with ${what}`, () => {
      expect(readTraceParent(header)).to.equal(undefined);
    });
  }
});
