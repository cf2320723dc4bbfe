package dev.ligeiro.testing.brokers;

import dev.ligeiro.infra.brokers.Broker;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerState;

/**
 * A broker in a container: its outage is a freeze. A stopped container would come back on another port, which no client
 * that is already connected would find.
 */
final class ContainerBroker implements Broker {

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
    public synchronized void stop() {
        if (!paused) {
            DockerClientFactory.lazyClient()
                    .pauseContainerCmd(container.getContainerId())
                    .exec();
            paused = true;
        }
    }

    @Override
    public void kill() {
        stop();
    }
}
