package dev.ligeiro.infra.brokers;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the checkout that contains the working directory. */
public final class ProjectRoot {

    private static final Path KAFKA_JARS = Path.of("infra", "launcher", "brokers", "kafka", "target", "jars");

    private ProjectRoot() {}

    public static Path find() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(KAFKA_JARS))) {
                return folder;
            }
        }
        throw new IllegalStateException(
                "no folder from %s upwards has %s: run `mvn -DskipTests package` once".formatted(start, KAFKA_JARS));
    }

    /** The folder with the jars of the Kafka broker. */
    public static Path kafkaJars(Path root) {
        return root.resolve(KAFKA_JARS);
    }
}
