/** Traces of sampled requests through the services, off unless the operator names an OpenTelemetry endpoint. */
@NullMarked
package dev.ligeiro.support.trace;

import org.jspecify.annotations.NullMarked;
