package dev.ligeiro.testing.brokers;

import dev.ligeiro.testing.brokers.TestBrokers.RunningBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerState;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.mongodb.MongoDBContainer;

/** Starts the brokers as containers. Returns nothing when there is no Docker daemon or it cannot get an image. */
final class Docker {

    private static final String KAFKA_IMAGE = "apache/kafka:4.2.1";
    private static final String MONGODB_IMAGE = "mongo:8.0.32";

    private Docker() {}

    static Optional<RunningBroker> kafka() {
        if (!available()) {
            return Optional.empty();
        }
        KafkaContainer kafka = new KafkaContainer(KAFKA_IMAGE)
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                .withEnv("KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS", "1000");
        return started(kafka, KafkaContainer::getBootstrapServers);
    }

    static Optional<RunningBroker> mongodb() {
        if (!available()) {
            return Optional.empty();
        }
        return started(new MongoDBContainer(MONGODB_IMAGE).withReplicaSet(), mongodb -> mongodb.getReplicaSetUrl("%s"));
    }

    private static <C extends GenericContainer<C>> Optional<RunningBroker> started(
            C container, Function<C, String> address) {
        try {
            container.start();
        } catch (RuntimeException e) {
            System.out.printf(
                    "TestBrokers: Docker cannot run %s (%s)%n", container.getDockerImageName(), e.getMessage());
            container.stop();
            return Optional.empty();
        }
        String where = address.apply(container);
        System.out.printf("TestBrokers: %s is a %s container%n", where, container.getDockerImageName());
        return Optional.of(new RunningBroker(new ContainerBroker(container), where));
    }

    /** Without a daemon, Testcontainers searches for seconds and logs errors: it is called only if there is a sign of a daemon. */
    private static boolean available() {
        boolean sign = System.getenv("DOCKER_HOST") != null || sockets().anyMatch(Files::exists);
        return sign && DockerClientFactory.instance().isDockerAvailable();
    }

    private static Stream<Path> sockets() {
        Path home = Path.of(System.getProperty("user.home"));
        return Stream.of(
                Path.of("/var/run/docker.sock"),
                Path.of(System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/run"), "docker.sock"),
                home.resolve(".docker/run/docker.sock"),
                home.resolve(".docker/desktop/docker.sock"),
                home.resolve(".testcontainers.properties"));
    }

    /**
     * A broker in a container. Stop and kill only freeze it, because a restarted container has another port, which connected clients
     * do not know.
     */
    static final class ContainerBroker implements TestBroker {

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
}
