package dev.ligeiro.message;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;

/**
 * Makes Jackson refuse JSON in which a record component is null or missing, unless its type is {@link Nullable}. Without it the
 * null would get past the compiler's null checks and cause an exception far from the message.
 */
final class NonNullIntrospector extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
        return isRequired(annotated) ? JsonSetter.Value.forValueNulls(Nulls.FAIL) : JsonSetter.Value.empty();
    }

    private static boolean isRequired(Annotated annotated) {
        return annotated instanceof AnnotatedParameter parameter
                && parameter.getOwner() instanceof AnnotatedConstructor
                && parameter.getDeclaringClass().isRecord()
                && !parameter
                        .getDeclaringClass()
                        .getRecordComponents()[parameter.getIndex()]
                        .getAnnotatedType()
                        .isAnnotationPresent(Nullable.class);
    }
}
