package dev.ligeiro.desk.http;

import dev.ligeiro.transaction.Amount;
import java.time.Clock;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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

    private final BodyConverter bodies;

    WebConfiguration(BodyConverter bodies) {
        this.bodies = bodies;
    }

    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
        builder.addCustomConverter(bodies);
    }

    @Override
    public void addFormatters(FormatterRegistry registry) {
        registry.addConverterFactory(new CodedParameter());
    }

    /** Times in bodies are compared with the application's clock. */
    @Bean
    static ValidationConfigurationCustomizer clockOfValidation(Clock clock) {
        return configuration -> configuration.clockProvider(() -> clock);
    }

    /** Amounts are strings with two decimals. */
    @Bean
    JacksonModule amounts() {
        return new SimpleModule().addSerializer(Amount.class, ToStringSerializer.instance);
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new KnownParameters()).addPathPatterns("/admin/**");
    }
}
