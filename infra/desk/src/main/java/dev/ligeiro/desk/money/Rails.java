package dev.ligeiro.desk.money;

import dev.ligeiro.support.RailProperties;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/** The names of the rails of the installation. */
@Component
@EnableConfigurationProperties(RailProperties.class)
public class Rails {

    private final List<String> live;

    Rails(RailProperties properties) {
        this.live = properties.routes().stream()
                .map(RailProperties.Route::rail)
                .distinct()
                .toList();
    }

    /** Those that a route leads to. */
    public List<String> live() {
        return live;
    }

    /** The simulator too. */
    public List<String> all() {
        return Stream.concat(live.stream(), Stream.of(RailProperties.SIMULATOR)).toList();
    }
}
