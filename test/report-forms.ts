/** Names of the files in the folder of a report, in alphabetical order. */
export const reportForms = [
  'badge.json',
  'badge.svg',
  'ctrf.json',
  'earl.jsonld',
  'junit.xml',
  'report.html',
  'report.json',
  'summary.md',
];
