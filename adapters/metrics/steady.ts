/**
 * Keeps what only grows from falling. Added up over several workers, counters fall when one of them goes, and Prometheus
 * would take that for a new start and count the whole of what is left once more. Where a figure falls, it goes on from
 * the last one that was given; what was counted in between is lost with the worker.
 * See decision 0054.
 */
export const makeSteady = (): ((text: string) => string) => {
  const given = new Map<string, { readonly raw: number; readonly lost: number }>();

  const hold = (series: string, raw: number): number => {
    const last = given.get(series) ?? { raw, lost: 0 };
    const lost = last.lost + Math.max(0, last.raw - raw);
    given.set(series, { raw, lost });
    return raw + lost;
  };

  return (text) => {
    let grows = false;
    return text
      .split('\n')
      .map((line) => {
        if (line.startsWith('# TYPE ')) grows = / (?:counter|histogram)$/.test(line);
        const [, series, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
        if (!grows || series === undefined || value === undefined) return line;
        return `${series} ${hold(series, Number(value))}`;
      })
      .join('\n');
  };
};
