package dev.ligeiro.testing.settings;

import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

/** Binds and validates a {@link ConfigurationProperties} record as Spring Boot does when a service starts. */
public final class Settings {

    private Settings() {}

    /** The record without any setting: the defaults in the code. */
    public static <T> T defaults(Class<T> record) {
        return of(record);
    }

    /** @param settings each {@code key=value}, with the whole key, such as {@code ligeiro.kafka.partitions=3} */
    public static <T> T of(Class<T> record, String... settings) {
        return bind(record, List.of(source(settings)));
    }

    /** The record with the settings of the service's {@code application.yml}. */
    public static <T> T ofYaml(Class<T> record) {
        try {
            return bind(
                    record,
                    new YamlPropertySourceLoader().load("application.yml", new ClassPathResource("application.yml")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The messages that an operator reads when these settings are refused: those of the exception and its causes, one a line.
     *
     * @throws AssertionError when they are accepted
     */
    public static String refusal(Class<?> record, String... settings) {
        Object accepted;
        try {
            accepted = of(record, settings);
        } catch (BindException refused) {
            return Stream.<Throwable>iterate(refused, Objects::nonNull, Throwable::getCause)
                    .map(Throwable::getMessage)
                    .collect(Collectors.joining("\n"));
        }
        throw new AssertionError(Arrays.toString(settings) + " is accepted: " + accepted);
    }

    /** The records of settings of {@code ligeiro} in the package and below it. */
    public static List<Class<?>> records(String basePackage) {
        ClassPathScanningCandidateComponentProvider scan = new ClassPathScanningCandidateComponentProvider(false);
        scan.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        return scan.findCandidateComponents(basePackage).stream()
                .<Class<?>>map(found -> ClassUtils.resolveClassName(
                        Objects.requireNonNull(found.getBeanClassName()), Settings.class.getClassLoader()))
                .filter(record -> prefix(record).startsWith("ligeiro"))
                .toList();
    }

    /** The one of {@code records} that has the setting {@code key=value}. */
    public static Class<?> recordOf(List<Class<?>> records, String setting) {
        return records.stream()
                .filter(record -> setting.startsWith(prefix(record) + "."))
                .max(Comparator.comparing(record -> prefix(record).length()))
                .orElseThrow();
    }

    private static String prefix(Class<?> record) {
        return Objects.requireNonNull(record.getAnnotation(ConfigurationProperties.class))
                .value();
    }

    private static PropertySource<?> source(String... settings) {
        Map<String, Object> values = Arrays.stream(settings)
                .map(setting -> setting.split("=", 2))
                .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1]));
        return new MapPropertySource("test", values);
    }

    private static <T> T bind(Class<T> record, List<PropertySource<?>> sources) {
        Binder binder = new Binder(ConfigurationPropertySources.from(sources));
        try (ValidatorFactory validators = Validation.buildDefaultValidatorFactory()) {
            return binder.bindOrCreate(
                    prefix(record),
                    Bindable.of(record),
                    new ValidationBindHandler(new SpringValidatorAdapter(validators.getValidator())));
        }
    }
}
