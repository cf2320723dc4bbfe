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
 * Has Jackson refuse a record whose component is null or absent in the JSON, unless its type says {@link Nullable}. Without it
 * such a null passes what the compiler has checked and fails far from the message that brought it.
 */
final class NullRefusal extends NopAnnotationIntrospector {

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
