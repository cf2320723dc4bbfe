package dev.ligeiro.desk.page;

import dev.ligeiro.desk.http.Dangerous;
import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.support.problem.Problem;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/**
 * Something that operators can do: a method of a controller of their API. A change has its values in the path and in the body.
 *
 * @param group the tag of the method, else that of its controller, such as {@code keys}
 * @param verb the method's name with hyphens, such as {@code rotate}
 */
record Capability(String group, String verb, HandlerMethod handler) {

    static Capability of(HandlerMethod handler) {
        Tag own = handler.getMethodAnnotation(Tag.class);
        Tag tag = own == null ? handler.getBeanType().getAnnotation(Tag.class) : own;
        return new Capability(
                tag == null ? "" : tag.name(),
                snake(handler.getMethod().getName()).replace('_', '-'),
                handler);
    }

    /** The name of a parameter or a record's component in JSON and in links. */
    static String snake(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private boolean is(RequestMethod method) {
        RequestMapping route = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), RequestMapping.class);
        return route != null && List.of(route.method()).contains(method);
    }

    boolean isChange() {
        return !is(RequestMethod.GET);
    }

    boolean isDangerous() {
        return is(RequestMethod.DELETE) || handler.hasMethodAnnotation(Dangerous.class);
    }

    /** A decision about money neither. */
    boolean cannotBeTakenBack() {
        return isDangerous() || role() == Role.MONEY && is(RequestMethod.POST);
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
        return List.of(handler.getMethodParameters());
    }

    /** The names of the path's variables. */
    List<String> variables() {
        return parameters().stream()
                .filter(parameter -> parameter.hasParameterAnnotation(PathVariable.class))
                .map(Capability::name)
                .toList();
    }

    /** Those of the values that stand in the path, by the names there. */
    Map<String, String> ofPath(Map<String, String> values) {
        return parameters().stream()
                .filter(parameter -> values.containsKey(name(parameter)))
                .collect(Collectors.toMap(
                        parameter -> String.valueOf(parameter.getParameter().getName()),
                        parameter -> String.valueOf(values.get(name(parameter)))));
    }

    static String name(MethodParameter parameter) {
        return snake(String.valueOf(parameter.getParameter().getName()));
    }

    /** The record of its body; null for none. */
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
                                : converted(values.getOrDefault(name(parameter), ""), parameter, conversion))
                .toArray();
        ReflectionUtils.makeAccessible(handler.getMethod());
        Object answer = ReflectionUtils.invokeMethod(
                handler.getMethod(), handler.createWithResolvedBean().getBean(), arguments);
        return answer instanceof ResponseEntity<?> response ? response.getBody() : answer;
    }

    private static @Nullable Object converted(String text, MethodParameter parameter, ConversionService conversion) {
        boolean isOfPath = parameter.hasParameterAnnotation(PathVariable.class);
        if (text.isBlank() && !isOfPath) {
            return null;
        }
        try {
            Object value = conversion.convert(
                    text.strip(), TypeDescriptor.valueOf(String.class), new TypeDescriptor(parameter));
            if (value != null) {
                return value;
            }
        } catch (ConversionException malformed) {
            if (!isOfPath) {
                throw Problem.invalid(name(parameter), "expected another form");
            }
        }
        throw Problem.notFound("There is no such resource");
    }
}
