package dev.ligeiro.support.instance;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A running service process, as it has reported itself.
 *
 * @param id random, a new one at each start
 * @param service the name of the module, such as {@code gateway}
 * @param figures the current values of gauges that operators need; a gauge whose value is unknown is absent
 */
public record ServiceInstance(
        UUID id,
        String service,
        String version,
        String host,
        long pid,
        Instant startedAt,
        Instant seenAt,
        List<Figure> figures) {

    public ServiceInstance {
        figures = List.copyOf(figures);
    }

    /** @param name that of the Micrometer gauge, such as {@code ligeiro.consumer.lag} */
    public record Figure(String name, Map<String, String> tags, double value) {

        public Figure {
            tags = Map.copyOf(tags);
        }
    }
}
