package dev.ligeiro.dispatcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

/** Binds settings records as the service does. */
public final class Settings {

    private Settings() {}

    /** From nothing: the defaults of the code. */
    public static <T> T none(Class<T> type) {
        return of(type);
    }

    /** From {@code key=value} alone. */
    public static <T> T of(Class<T> type, String... settings) {
        Map<String, Object> map = Arrays.stream(settings)
                .collect(Collectors.toMap(
                        setting -> setting.substring(0, setting.indexOf('=')),
                        setting -> setting.substring(setting.indexOf('=') + 1)));
        return bind(type, new MapPropertySource("test", map));
    }

    /** From application.yml alone. */
    public static <T> T documented(Class<T> type) {
        try {
            return bind(
                    type,
                    new YamlPropertySourceLoader()
                            .load("documented", new ClassPathResource("application.yml"))
                            .get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T bind(Class<T> type, PropertySource<?> source) {
        String prefix = Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class))
                .value();
        return new Binder(ConfigurationPropertySources.from(source)).bindOrCreate(prefix, type);
    }
}
