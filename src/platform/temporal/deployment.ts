import { randomUUID } from 'node:crypto';
import { isGrpcServiceError } from '@temporalio/client';
// The package is CommonJS without named exports.
import proto from '@temporalio/proto';
import type { TemporalClient } from './client.ts';

// gRPC codes INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED and UNIMPLEMENTED: there is no such
// deployment, or the server or the namespace has none at all.
const ABSENT_CODES = [3, 5, 7, 12];
const { VersioningOverride } = proto.temporal.api.workflow.v1;

/** The builds of Workers that Temporal knows, as one of its Worker Deployments. */
export interface Deployment {
  /** Null while no Worker of a named build has polled, and where Temporal knows no builds. */
  read(): Promise<DeploymentState | null>;
  /** New workflows go to the Workers of this build; null: to those without one. */
  makeCurrent(build: string | null): Promise<void>;
  /**
   * Lets the open workflows of a build go on with the Workers of the current one.
   * @returns how many there were
   */
  release(build: string): Promise<number>;
}

export interface DeploymentState {
  /** Null: Workers without a build. */
  readonly current: string | null;
  readonly builds: readonly string[];
}

export function openDeployment(
  { client, connection, bounded }: Pick<TemporalClient, 'client' | 'connection' | 'bounded'>,
  deploymentName: string,
): Deployment {
  const { namespace } = client.options;
  const { workflowService } = connection;
  return {
    async read() {
      try {
        const { workerDeploymentInfo: info } = await bounded(() =>
          workflowService.describeWorkerDeployment({ namespace, deploymentName }),
        );
        const versions = info?.versionSummaries ?? [];
        return {
          current: info?.routingConfig?.currentDeploymentVersion?.buildId || null,
          builds: versions.flatMap(({ deploymentVersion }) => deploymentVersion?.buildId || []),
        };
      } catch (error) {
        if (isGrpcServiceError(error) && ABSENT_CODES.includes(error.code)) return null;
        throw error;
      }
    },
    async makeCurrent(build) {
      await bounded(() =>
        workflowService.setWorkerDeploymentCurrentVersion({
          namespace,
          deploymentName,
          buildId: build ?? '',
          // A pool of the former build that has no Workers any more.
          ignoreMissingTaskQueues: true,
        }),
      );
    },
    async release(build) {
      const visibilityQuery =
        `TemporalWorkerDeploymentVersion = "${deploymentName}:${build}" AND ` +
        "TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'";
      const { count } = await bounded(() => client.workflow.count(visibilityQuery));
      if (count === 0) return 0;
      await bounded(() =>
        workflowService.startBatchOperation({
          namespace,
          jobId: randomUUID(),
          visibilityQuery,
          reason: `The Workers of build ${build} are gone.`,
          updateWorkflowOptionsOperation: {
            workflowExecutionOptions: {
              versioningOverride: VersioningOverride.create({ autoUpgrade: true }),
            },
            updateMask: { paths: ['versioning_override'] },
          },
        }),
      );
      return count;
    },
  };
}
