const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** Epoch microseconds of an ISO 8601 time; undefined for anything else. What is finer than a microsecond is cut off. */
export const microseconds = (value: unknown): number | undefined => {
  const [, seconds, fraction = '', zone] = (typeof value === 'string' && TIME.exec(value)) || [];
  const whole = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`);
  return Number.isNaN(whole) ? undefined : whole * 1_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
};

/** Epoch milliseconds, likewise. */
export const milliseconds = (value: unknown): number | undefined => {
  const time = microseconds(value);
  return time === undefined ? undefined : Math.floor(time / 1_000);
};
