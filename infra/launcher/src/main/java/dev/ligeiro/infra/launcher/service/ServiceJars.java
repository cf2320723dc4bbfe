package dev.ligeiro.infra.launcher.service;

import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds the executable jars of the services in the folders of the build. */
final class ServiceJars {

    private ServiceJars() {}

    static Path of(ServiceKind kind, Path root) {
        Path target = root.resolve(kind.module()).resolve("target");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> isExecutableJar(file, kind))
                    .findFirst()
                    .orElseThrow(() -> new CannotStartException(
                            "%s has no jar of %s: run `mvn -DskipTests package`".formatted(target, kind.module())));
        } catch (IOException e) {
            throw new CannotStartException(
                    "%s is not built: run `mvn -DskipTests package`".formatted(kind.module()), e);
        }
    }

    private static boolean isExecutableJar(Path file, ServiceKind kind) {
        return file.getFileName().toString().matches(kind.module() + "-\\d.*(?<!-tests)(?<!-sources)\\.jar");
    }
}
