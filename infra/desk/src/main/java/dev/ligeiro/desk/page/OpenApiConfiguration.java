package dev.ligeiro.desk.page;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.transaction.Amount;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.jackson.TypeNameResolver;
import io.swagger.v3.oas.models.media.StringSchema;
import java.util.List;
import java.util.Set;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * The document {@code /openapi.json}, of which {@code infra/admin} makes its commands: an operation's id is {@code group.verb}, its tag and the
 * name of its method. With {@code x-confirm} the command asks first.
 */
@Configuration
class OpenApiConfiguration {

    private static final String CONFIRM = "x-confirm";

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
            Capability capability = Capability.of(method);
            operation.setTags(List.of(capability.group()));
            operation.setOperationId(capability.group() + "." + capability.verb());
            boolean isTold = operation.getExtensions() != null
                    && operation.getExtensions().containsKey(CONFIRM);
            if (capability.cannotBeTakenBack() && !isTold) {
                operation.addExtension(CONFIRM, operation.getSummary() + ".");
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
}
