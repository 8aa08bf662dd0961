export const mails = {
  states: { waiting: 'Waiting', failing: 'Failing', dead: 'Dead' },
  to: 'To',
  template: 'Email',
  created: 'Created (UTC)',
  due: 'Next attempt (UTC)',
  tries: 'Attempts',
  failure: 'Last error',
  retry: 'Retry',
  retryAll: 'Retry all',
  retryEffect: 'We try to send this email again at once.',
  retryAllEffect: 'We try to send every waiting and dead email again at once.',
  retried: (count: number) => (count === 1 ? 'Retrying 1 email' : `Retrying ${count} emails`),
  nothing: 'No emails are waiting.',
  nothingSo: 'No emails with this status.',
};

export const deliveries = {
  lead: 'Events from the payment provider.',
  states: {
    pending: 'Pending',
    waiting: 'Waiting for its user',
    dead: 'Dead',
    applied: 'Applied',
    ignored: 'Ignored',
  },
  type: 'Event',
  received: 'Received (UTC)',
  retry: 'Replay',
  retryEffect: 'We apply the delivery again at once. If it was already applied, nothing changes.',
  retried: (count: number) => (count === 1 ? 'Replaying 1 delivery' : `Replaying ${count} deliveries`),
  nothing: 'No deliveries yet.',
  nothingSo: 'No deliveries with this status.',
};
