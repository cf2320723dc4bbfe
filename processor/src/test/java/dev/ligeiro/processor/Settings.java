package dev.ligeiro.processor;

import jakarta.validation.Validation;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.io.ClassPathResource;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

/** Binds and validates one settings record, as the service does at its start. */
public final class Settings {

    private Settings() {}

    /** With {@code settings}, such as {@code "partitions=3"}, and the defaults of the code. */
    public static <T> T of(Class<T> record, String... settings) {
        MapConfigurationPropertySource source = new MapConfigurationPropertySource();
        for (String setting : settings) {
            String[] keyAndValue = setting.split("=", 2);
            source.put(prefix(record) + "." + keyAndValue[0], keyAndValue[1]);
        }
        return bind(new Binder(source), record);
    }

    /** With what application.yml says. */
    public static <T> T ofYaml(Class<T> record) {
        try {
            MutablePropertySources yaml = new MutablePropertySources();
            new YamlPropertySourceLoader()
                    .load("application.yml", new ClassPathResource("application.yml"))
                    .forEach(yaml::addLast);
            return bind(new Binder(ConfigurationPropertySources.from(yaml)), record);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T bind(Binder binder, Class<T> record) {
        SpringValidatorAdapter validator = new SpringValidatorAdapter(
                Validation.buildDefaultValidatorFactory().getValidator());
        return binder.bindOrCreate(prefix(record), Bindable.of(record), new ValidationBindHandler(validator));
    }

    private static String prefix(Class<?> record) {
        return record.getAnnotation(ConfigurationProperties.class).value();
    }
}
