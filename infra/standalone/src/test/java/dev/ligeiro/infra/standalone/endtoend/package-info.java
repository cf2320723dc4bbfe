/**
 * End-to-end tests: the packaged services as processes on a real Kafka and a real mongod. They start {@code infra/run}, which all of
 * them share, and use nothing but HTTP, signals and the scripts of the repository.
 */
@NullMarked
package dev.ligeiro.infra.standalone.endtoend;

import org.jspecify.annotations.NullMarked;
