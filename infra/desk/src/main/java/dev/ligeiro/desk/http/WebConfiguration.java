package dev.ligeiro.desk.http;

import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.view.TimeText;
import java.time.Clock;
import java.time.Instant;
import java.util.stream.Stream;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.converter.ConverterFactory;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

/** How the operators' API reads requests. */
@Configuration
class WebConfiguration implements WebMvcConfigurer {

    private final Bodies bodies;

    WebConfiguration(Bodies bodies) {
        this.bodies = bodies;
    }

    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
        builder.addCustomConverter(bodies);
    }

    /** Parameters name the constants of an enum by their codes; an empty one is none, for which Spring takes null. */
    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverter(String.class, Instant.class, TimeText::parse);
        registry.addConverterFactory(new ConverterFactory<String, Coded>() {
            @Override
            @SuppressWarnings("NullAway")
            public <T extends Coded> Converter<String, T> getConverter(Class<T> type) {
                return text -> text.isEmpty()
                        ? null
                        : Stream.of(type.getEnumConstants())
                                .filter(constant -> constant.code().equals(text))
                                .findFirst()
                                .orElseThrow();
            }
        });
    }

    /** Times in bodies are compared with the application's clock. */
    @Bean
    static ValidationConfigurationCustomizer clockOfValidation(Clock clock) {
        return configuration -> configuration.clockProvider(() -> clock);
    }

    /** Amounts are strings with two decimals. */
    @Bean
    static JacksonModule amounts() {
        return new SimpleModule().addSerializer(Amount.class, ToStringSerializer.instance);
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new KnownParameters()).addPathPatterns("/admin/**");
    }
}
