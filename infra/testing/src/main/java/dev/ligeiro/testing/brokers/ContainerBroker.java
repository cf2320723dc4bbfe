package dev.ligeiro.testing.brokers;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerState;

/**
 * A broker in a container. Stop and kill only freeze it, because a restarted container has another port, which connected clients
 * do not know.
 */
final class ContainerBroker implements TestBroker {

    private final ContainerState container;
    private boolean paused;

    ContainerBroker(ContainerState container) {
        this.container = container;
    }

    @Override
    public synchronized void start() {
        if (paused) {
            DockerClientFactory.lazyClient()
                    .unpauseContainerCmd(container.getContainerId())
                    .exec();
            paused = false;
        }
    }

    @Override
    public synchronized void freeze() {
        if (!paused) {
            DockerClientFactory.lazyClient()
                    .pauseContainerCmd(container.getContainerId())
                    .exec();
            paused = true;
        }
    }

    @Override
    public void stop() {
        freeze();
    }

    @Override
    public void kill() {
        freeze();
    }
}
