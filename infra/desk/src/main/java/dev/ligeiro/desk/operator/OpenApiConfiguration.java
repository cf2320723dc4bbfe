package dev.ligeiro.desk.operator;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.ligeiro.desk.http.AsksFirst;
import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.transaction.Amount;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.jackson.TypeNameResolver;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.swagger.v3.oas.models.media.StringSchema;
import java.util.Locale;
import java.util.Set;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.method.HandlerMethod;

/**
 * The document {@code /openapi.json}, of which {@code infra/admin} makes its commands: an operation's id is {@code group.verb}, its tag and the
 * name of its method. With {@code x-confirm} the command asks first.
 */
@Configuration
class OpenApiConfiguration {

    static {
        SpringDocUtils.getConfig()
                .replaceWithSchema(Amount.class, new StringSchema().format("decimal"))
                .addRequestWrapperToIgnore(Operator.class);
    }

    /** Members have the names of the JSON; records of the same name in two controllers are two schemas. */
    @Bean
    ModelResolver schemas(ObjectMapperProvider mapper) {
        TypeNameResolver names = new TypeNameResolver() {
            @Override
            protected String nameForClass(Class<?> type, Set<Options> options) {
                Class<?> outer = type.getEnclosingClass();
                return outer == null
                        ? super.nameForClass(type, options)
                        : outer.getSimpleName().replace("Controller", "") + type.getSimpleName();
            }
        };
        return new ModelResolver(
                        mapper.jsonMapper().copy().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE),
                        names)
                .openapi31(mapper.isOpenapi31());
    }

    @Bean
    GlobalOperationCustomizer operations() {
        return (operation, method) -> {
            operation.setOperationId(
                    group(method) + "." + kebab(method.getMethod().getName()));
            AsksFirst asks = method.getMethodAnnotation(AsksFirst.class);
            if (asks != null || cannotBeTakenBack(method)) {
                operation.addExtension("x-confirm", asks == null ? operation.getSummary() + "." : asks.value());
            }
            return operation;
        };
    }

    /** The command keeps the document until its tag is another one. */
    @Bean
    FilterRegistrationBean<ShallowEtagHeaderFilter> documentTag() {
        FilterRegistrationBean<ShallowEtagHeaderFilter> filter =
                new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
        filter.addUrlPatterns("/openapi.json");
        return filter;
    }

    /** A decision about money neither. */
    private static boolean cannotBeTakenBack(HandlerMethod method) {
        Needs needs = method.getMethodAnnotation(Needs.class);
        return method.hasMethodAnnotation(Dangerous.class)
                || method.hasMethodAnnotation(DeleteMapping.class)
                || needs != null && needs.value() == Role.MONEY && method.hasMethodAnnotation(PostMapping.class);
    }

    private static String group(HandlerMethod method) {
        Tag tag = method.getBeanType().getAnnotation(Tag.class);
        return tag == null ? "other" : tag.name();
    }

    private static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
