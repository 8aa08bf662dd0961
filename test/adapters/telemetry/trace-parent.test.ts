import { expect } from 'chai';
import { readTraceParent, writeTraceParent } from '../../../adapters/telemetry/tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('A traceparent header', () => {
  it('is read and written in the format of W3C Trace Context', () => {
    const parent = readTraceParent(`00-${TRACE}-${SPAN}-01`);
    expect(parent).to.deep.equal({ traceId: TRACE, spanId: SPAN, traceFlags: 1 });
    expect(parent && writeTraceParent(parent)).to.equal(`00-${TRACE}-${SPAN}-01`);
    expect(writeTraceParent({ traceId: TRACE, spanId: SPAN, traceFlags: 0 })).to.match(/-00$/);
  });

  it('may contain more fields in a later version, which are ignored', () => {
    expect(readTraceParent(`01-${TRACE}-${SPAN}-03-what-else`)?.traceFlags).to.equal(1);
  });

  for (const [label, header] of [
    ['no value', undefined],
    ['a list as value', [`00-${TRACE}-${SPAN}-01`]],
    ['a field after the flags', `00-${TRACE}-${SPAN}-01-x`],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a trailing line break', `00-${TRACE}-${SPAN}-01\n`],
  ] as const) {
    it(`is refused with ${label}`, () => {
      expect(readTraceParent(header)).to.equal(undefined);
    });
  }
});
