/**
 * The packaged services as processes on a real Kafka and a real mongod, started and watched over by the launcher; what is
 * promised of the whole is seen here. Calls the launcher as {@code infra/run} does, then HTTP and signals only.
 */
@NullMarked
package dev.ligeiro.infra.standalone.endtoend;

import org.jspecify.annotations.NullMarked;
