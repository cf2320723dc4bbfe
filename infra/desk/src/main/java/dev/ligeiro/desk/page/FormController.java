package dev.ligeiro.desk.page;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.ligeiro.desk.http.Bodies;
import dev.ligeiro.desk.http.ByForm;
import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Coded;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.RecordComponent;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.convert.ConversionService;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The form of each capability of the operators' API, made from the record of its body. The page says what will happen and about what; the form
 * becomes the body of the same handler that a program calls.
 */
@Controller
@RequestMapping("/console/do/{group}/{verb}")
class FormController {

    /** The members of answers that nobody can read again. */
    private static final List<String> REVEALED = List.of("key", "secret", "console_url");

    private static final Pattern PLACE = Pattern.compile("\\{([a-z_]+)}");

    private final Capabilities capabilities;
    private final Bodies bodies;
    private final JsonMapper json;
    private final ConversionService conversion;

    FormController(
            Capabilities capabilities,
            Bodies bodies,
            JsonMapper json,
            @Qualifier("mvcConversionService") ConversionService conversion) {
        this.capabilities = capabilities;
        this.bodies = bodies;
        this.json = json;
        this.conversion = conversion;
    }

    @GetMapping
    ModelAndView ask(
            @PathVariable String group,
            @PathVariable String verb,
            @ModelAttribute(name = "frame", binding = false) Frame frame,
            HttpServletRequest request,
            Operator operator) {
        return page(opened(capability(group, verb, frame), link(request), frame, operator));
    }

    @PostMapping
    ModelAndView send(
            @PathVariable String group,
            @PathVariable String verb,
            @ModelAttribute(name = "frame", binding = false) Frame frame,
            HttpServletRequest request,
            Operator operator,
            RedirectAttributes next) {
        Capability capability = capability(group, verb, frame);
        Map<String, String> link = link(request);
        Form form = null;
        try {
            form = opened(capability, link, frame, operator);
            Map<String, String> typed = typed(request);
            if (!form.shown().equals(typed.getOrDefault("shown", ""))) {
                throw Problem.of(ProblemCode.CHANGED_MEANWHILE, "The values have changed since they were shown");
            }
            form = form.with(typed, null);
            return done(form, call(form, operator), next);
        } catch (Problem refusal) {
            capabilities.refused(capability, link, request, refusal);
            if (form == null || refusal.code() == ProblemCode.INSUFFICIENT_ROLE) {
                throw refusal;
            }
            return page(form.with(form.typed(), refusal));
        }
    }

    private Capability capability(String group, String verb, Frame frame) {
        Capability capability = capabilities.all().get(group + " " + verb);
        // one without a title has a page of its own
        boolean hasForm = frame.language().find("form." + group + "." + verb) != null;
        if (capability == null || !capability.isChange() || !hasForm) {
            throw Problem.notFound("There is no such form");
        }
        return capability;
    }

    /**
     * The form as its link opens it: with what the link gives, and the values of today. The parameter {@code fields} leaves out those that it
     * does not name and that are not required; not where the change would replace them.
     */
    private Form opened(Capability capability, Map<String, String> link, Frame frame, Operator operator) {
        operator.require(capability.role());
        List<FormField> all = FormField.of(capability);
        Map<String, String> given = new HashMap<>(link);
        given.keySet()
                .removeIf(name -> !capability.variables().contains(name)
                        && all.stream().noneMatch(field -> field.name().equals(name) && field.canBeGiven()));
        Map<String, String> current = current(capability.replaces(), all, given, operator);
        Map<String, String> typed = new HashMap<>(current);
        all.forEach(field -> typed.computeIfPresent(field.name(), (name, value) -> field.shown(value, frame)));
        String asked = current.isEmpty() ? link.get("fields") : null;
        List<FormField> fields = all.stream()
                .filter(field -> asked == null
                        || field.isRequired()
                        || given.containsKey(field.name())
                        || List.of(asked.split(",")).contains(field.name()))
                .toList();
        return new Form(
                frame,
                capability,
                fields,
                given,
                typed,
                facts(given, frame, operator),
                current.isEmpty() ? "" : ApiKey.hash(String.join("\0", current.values())),
                link.getOrDefault("back", ""),
                null);
    }

    /** The values that the change would replace, by the names of its fields; none if it replaces none. */
    private Map<String, String> current(
            @Nullable Replaces replaces, List<FormField> fields, Map<String, String> given, Operator operator) {
        Map<String, String> current = new LinkedHashMap<>();
        if (replaces != null) {
            Capability source = requireNonNull(capabilities.all().get(replaces.value()), replaces.value());
            if (!source.parameters().stream().map(Capability::name).allMatch(given::containsKey)) {
                throw Problem.notFound("The link does not name whose values are replaced");
            }
            JsonNode answer = json.<JsonNode>valueToTree(source.call(given, null, operator, conversion))
                    .at(replaces.at());
            fields.forEach(field -> current.put(field.name(), field.read(answer)));
        }
        return current;
    }

    private Map<String, String> facts(Map<String, String> given, Frame frame, Operator operator) {
        Map<String, String> named = new HashMap<>(given);
        given.forEach((name, value) -> named.putIfAbsent(name + "_id", value));
        Map<String, String> facts = new LinkedHashMap<>();
        capabilities
                .subject(named.keySet())
                .ifPresent(shows -> addFacts(shows.call(named, null, operator, conversion), "", frame, facts));
        return facts;
    }

    /** The names of the link's parameters, each as often as it stands there. */
    private static List<String> named(HttpServletRequest request) {
        return Stream.of(requireNonNullElse(request.getQueryString(), "").split("&"))
                .map(parameter -> URLDecoder.decode(parameter.split("=", 2)[0], StandardCharsets.UTF_8))
                .toList();
    }

    private static Map<String, String> link(HttpServletRequest request) {
        Map<String, String> link = new HashMap<>();
        for (String name : named(request)) {
            String value = request.getParameter(name);
            if (value != null && !value.isBlank()) {
                link.put(name, value);
            }
        }
        return link;
    }

    /** The values of the form's own fields: of a parameter, they follow those of the link. */
    private static Map<String, String> typed(HttpServletRequest request) {
        List<String> named = named(request);
        Map<String, String> typed = new HashMap<>();
        request.getParameterMap()
                .forEach((name, values) -> typed.put(
                        name,
                        String.join(
                                "\n",
                                Arrays.asList(values).subList(Collections.frequency(named, name), values.length))));
        return typed;
    }

    private @Nullable Object call(Form form, Operator operator) {
        Class<?> type = form.capability().body();
        Object body = type == null ? null : bodies.bind(form.body(), type, ByForm.class);
        return form.capability().call(form.given(), body, operator, conversion);
    }

    private static ModelAndView page(Form form) {
        ModelAndView page = new ModelAndView("page/form", "form", form);
        page.setStatus(
                form.problem() == null ? HttpStatus.OK : form.problem().code().status());
        return page;
    }

    /** Shows what the answer reveals once, else goes back with a notice. Both may name members of the answer: {@code {id}}. */
    private ModelAndView done(Form form, @Nullable Object answer, RedirectAttributes next) {
        JsonNode members = json.valueToTree(answer);
        UnaryOperator<String> member = name -> members.path(name).asString("");
        UnaryOperator<String> filled =
                text -> PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement(member.apply(place.group(1))));
        String back = filled.apply(form.back());
        List<String> revealed =
                REVEALED.stream().filter(name -> members.path(name).isString()).toList();
        if (!revealed.isEmpty()) {
            return new ModelAndView("page/once")
                    .addObject("kinds", revealed)
                    .addObject("values", revealed.stream().map(member).toList())
                    .addObject("back", ConsolePath.of(back));
        }
        next.addFlashAttribute(OperatorFrame.NOTICE, filled.apply(form.done()));
        return new ModelAndView(ConsolePath.redirect(back));
    }

    /**
     * What a record of the API says about something, in the reader's language: each member that has a text {@code fact.<name>}. A form shows
     * it about its subject, since nobody can decide by an id.
     */
    private static void addFacts(@Nullable Object found, String prefix, Frame frame, Map<String, String> facts) {
        if (found == null || !found.getClass().isRecord()) {
            return;
        }
        for (RecordComponent component : found.getClass().getRecordComponents()) {
            ReflectionUtils.makeAccessible(component.getAccessor());
            Object value = ReflectionUtils.invokeMethod(component.getAccessor(), found);
            String name = prefix + Capability.snake(component.getName());
            String label = frame.textOr("fact." + name, "");
            if (!label.isEmpty() && value != null && !value.toString().isEmpty()) {
                facts.put(label, fact(name, value, frame));
            } else if (label.isEmpty() && prefix.isEmpty()) {
                addFacts(value, name + ".", frame, facts);
            }
        }
    }

    private static String fact(String name, Object value, Frame frame) {
        if (value instanceof Amount amount) {
            return frame.amount(amount);
        }
        if (value instanceof Instant at) {
            return frame.time(at);
        }
        if (value instanceof Boolean yes) {
            return frame.text(yes ? "shared.yes" : "shared.no");
        }
        return frame.option(name, value instanceof Coded coded ? coded.code() : value.toString());
    }
}
