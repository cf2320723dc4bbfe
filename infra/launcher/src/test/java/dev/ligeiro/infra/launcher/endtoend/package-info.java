/**
 * End-to-end tests of the packaged services with a real Kafka and a real mongod. They share one system that {@code infra/run} has
 * started, and use only HTTP, signals and the scripts of the repository.
 */
@NullMarked
package dev.ligeiro.infra.launcher.endtoend;

import org.jspecify.annotations.NullMarked;
