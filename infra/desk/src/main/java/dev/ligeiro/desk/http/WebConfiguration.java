package dev.ligeiro.desk.http;

import dev.ligeiro.support.problem.FieldError;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import dev.ligeiro.view.TimeText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.converter.ConverterFactory;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
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

    /** Refuses query parameters that a route does not have, and repeated ones: a misspelt filter would show everything. */
    private static final class KnownParameters implements HandlerInterceptor {

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            if (!(handler instanceof HandlerMethod method)) {
                return true;
            }
            Set<String> known = new TreeSet<>();
            for (MethodParameter parameter : method.getMethodParameters()) {
                RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
                if (query != null) {
                    known.add(query.name().isEmpty() ? parameter.getParameter().getName() : query.name());
                }
            }
            List<FieldError> errors = new ArrayList<>();
            request.getParameterMap().forEach((name, values) -> {
                if (!known.contains(name)) {
                    errors.add(new FieldError(name, "unknown", "expected one of " + known));
                } else if (values.length > 1) {
                    errors.add(new FieldError(name, "repeated", "expected at most once"));
                }
            });
            if (!errors.isEmpty()) {
                throw Problem.invalid(errors);
            }
            return true;
        }
    }
}
