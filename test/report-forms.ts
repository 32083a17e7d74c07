/** Names of the files in the folder of a report, in alphabetical order. */
export const reportForms = ['ctrf.json', 'junit.xml', 'report.html', 'report.json', 'summary.md'];
