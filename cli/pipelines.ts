import { namesOf } from '../fixtures/records.ts';
import { kit } from '../suites/kit.ts';

/** Systems that `tck init --ci` writes a pipeline for, with the path of the pipeline file. */
export const pipelinePaths = {
  github: '.github/workflows/conformance.yml',
  gitlab: 'conformance.gitlab-ci.yml',
  jenkins: 'conformance.Jenkinsfile',
} as const;

export type System = keyof typeof pipelinePaths;

export const systems = namesOf(pipelinePaths);

/** The oldest supported version, so that a pipeline never starts with a version that the kit refuses. */
const node = '22.22';

const install = `npm install --global --ignore-scripts ${kit.name}@${kit.version}`;

/**
 * The pipeline that runs the kit with a configuration, and the next steps for the person. It names the variables of the
 * keys, never a key.
 */
export function pipelineOf(system: System, config: string, variables: readonly string[], insecure = false) {
  const run = `tck run --config ${config}${insecure ? ' --insecure' : ''}`;
  const names = variables.join(', ');
  const pipelines = {
    github: {
      text: github(`${run} --reporter github`, variables),
      next: `add the secrets ${names} to the repository`,
    },
    gitlab: {
      text: gitlab(run),
      next: `include the file in .gitlab-ci.yml, and add the masked variables ${names}`,
    },
    jenkins: {
      text: jenkins(run, variables),
      next: `create a pipeline from conformance.Jenkinsfile, and the secret texts ${names}`,
    },
  };
  return pipelines[system];
}

const github = (run: string, variables: readonly string[]) => `name: conformance
# No runs for pull requests of forks: a fork gets no secrets.
on: [push]
permissions:
  contents: read
# Two runs at once would share rate limits and credits.
concurrency:
  group: conformance
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
      - uses: actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0
        with:
          node-version: '${node}'
      - run: ${install}
      - run: ${run}
        env:
${variables.map((name) => `          ${name}: \${{ secrets.${name} }}`).join('\n')}
      - if: always()
        uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        with:
          name: tck-report
          path: tck-report/
`;

const gitlab = (run: string) => `conformance:
  image: node:${node}.0
  resource_group: conformance
  script:
    - ${install}
    - ${run}
  artifacts:
    when: always
    paths: [tck-report/]
    reports:
      junit: tck-report/junit.xml
`;

const jenkins = (run: string, variables: readonly string[]) => `pipeline {
  agent { docker { image 'node:${node}.0' } }
  options { disableConcurrentBuilds() }
  environment {
    NPM_CONFIG_PREFIX = "\${WORKSPACE}/.npm-global"
    PATH = "\${WORKSPACE}/.npm-global/bin:\${PATH}"
${variables.map((name) => `    ${name} = credentials('${name}')`).join('\n')}
  }
  stages {
    stage('conformance') {
      steps {
        sh '${install}'
        sh '${run}'
      }
    }
  }
  post {
    always {
      junit 'tck-report/junit.xml'
      archiveArtifacts 'tck-report/**'
    }
  }
}
`;
