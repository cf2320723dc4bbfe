/** The list of metrics, the alerts and the boards in {@code infra/prometheus} and {@code infra/grafana}. */
@NullMarked
package dev.ligeiro.infra.launcher.monitoring;

import org.jspecify.annotations.NullMarked;
