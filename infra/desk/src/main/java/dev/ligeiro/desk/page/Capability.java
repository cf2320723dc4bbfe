package dev.ligeiro.desk.page;

import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import io.swagger.v3.oas.annotations.Operation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;

/**
 * Something that operators can do: a method of a controller of their API.
 *
 * @param group the tag of the controller, such as {@code keys}
 * @param verb the method's name with hyphens, such as {@code rotate}
 */
record Capability(String group, String verb, RequestMethod method, HandlerMethod handler) {

    static String verb(Method handler) {
        return handler.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** The name of a parameter or a record's component in JSON and in links. */
    static String snake(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    boolean isChange() {
        return method != RequestMethod.GET;
    }

    boolean isDangerous() {
        return method == RequestMethod.DELETE || handler.hasMethodAnnotation(Dangerous.class);
    }

    /** The role without which nobody may use it. The handler may need another one, too. */
    Role role() {
        Needs needs = handler.getMethodAnnotation(Needs.class);
        return needs == null ? Role.MONEY : needs.value();
    }

    String summary() {
        Operation operation = handler.getMethodAnnotation(Operation.class);
        return operation == null ? "" : operation.summary();
    }

    @Nullable
    Replaces replaces() {
        return handler.getMethodAnnotation(Replaces.class);
    }

    List<MethodParameter> parameters() {
        return Arrays.asList(handler.getMethodParameters());
    }

    /** The names of the path's variables. */
    List<String> variables() {
        return parameters().stream()
                .filter(parameter -> parameter.hasParameterAnnotation(PathVariable.class))
                .map(Capability::name)
                .toList();
    }

    static String name(MethodParameter parameter) {
        RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
        return query != null && !query.name().isEmpty()
                ? query.name()
                : snake(String.valueOf(parameter.getParameter().getName()));
    }

    @Nullable
    Class<?> body() {
        return parameters().stream()
                .filter(parameter -> parameter.hasParameterAnnotation(RequestBody.class))
                .<Class<?>>map(MethodParameter::getParameterType)
                .findFirst()
                .orElse(null);
    }

    /**
     * Calls the handler as a request of the API would: with the check of the role, and the audit.
     *
     * @param values of the path's variables and the query's parameters, by their names
     * @return its body; null for none
     */
    @Nullable
    Object call(Map<String, String> values, @Nullable Object body, Operator operator, ConversionService conversion) {
        Object[] arguments = parameters().stream()
                .map(parameter -> parameter.hasParameterAnnotation(RequestBody.class)
                        ? body
                        : parameter.getParameterType() == Operator.class
                                ? operator
                                : converted(values.get(name(parameter)), parameter, conversion))
                .toArray();
        Object answer = invoke(arguments);
        return answer instanceof ResponseEntity<?> response ? response.getBody() : answer;
    }

    private static @Nullable Object converted(
            @Nullable String text, MethodParameter parameter, ConversionService conversion) {
        try {
            return text == null || text.isBlank()
                    ? null
                    : conversion.convert(
                            text.strip(), TypeDescriptor.valueOf(String.class), new TypeDescriptor(parameter));
        } catch (ConversionException malformed) {
            throw parameter.hasParameterAnnotation(PathVariable.class)
                    ? Problem.notFound("There is no such resource")
                    : Problem.invalid(name(parameter), "expected another form");
        }
    }

    private @Nullable Object invoke(@Nullable Object[] arguments) {
        try {
            ReflectionUtils.makeAccessible(handler.getMethod());
            return handler.getMethod().invoke(handler.createWithResolvedBean().getBean(), arguments);
        } catch (InvocationTargetException failure) {
            ReflectionUtils.rethrowRuntimeException(failure.getTargetException());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
        throw new IllegalStateException("not reached");
    }
}
