package dev.ligeiro.desk.page;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.desk.http.Bodies;
import dev.ligeiro.desk.http.ByForm;
import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.convert.ConversionService;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

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
        return page(opened(group, verb, frame, request, operator));
    }

    @PostMapping
    ModelAndView send(
            @PathVariable String group,
            @PathVariable String verb,
            @ModelAttribute(name = "frame", binding = false) Frame frame,
            HttpServletRequest request,
            Operator operator,
            RedirectAttributes next) {
        Form form = opened(group, verb, frame, request, operator);
        Map<String, String> entered = new HashMap<>();
        request.getParameterMap().forEach((name, values) -> entered.put(name, entered(values, name, request)));
        form.fields().stream()
                .filter(form::isGiven)
                .forEach(field -> entered.put(field.name(), form.link().getOrDefault(field.name(), "")));
        if (!form.shown().equals(entered.getOrDefault("shown", ""))) {
            return page(form.with(
                    form.values(),
                    Problem.of(ProblemCode.CHANGED_MEANWHILE, "The values have changed since they were shown")));
        }
        try {
            return done(form, call(form, entered, operator), next);
        } catch (Problem refusal) {
            if (refusal.code() == ProblemCode.INSUFFICIENT_ROLE) {
                throw refusal;
            }
            return page(form.with(entered, refusal));
        }
    }

    /** The form as its link opens it: with the values of today, and those that the link fills in. */
    private Form opened(String group, String verb, Frame frame, HttpServletRequest request, Operator operator) {
        Capability capability = capabilities.all().get(group + " " + verb);
        // one without a title has a page of its own
        boolean hasForm = frame.language().find("form." + group + "." + verb) != null;
        if (capability == null || !capability.isChange() || !hasForm) {
            throw Problem.notFound("There is no such form");
        }
        operator.require(capability.role());
        Map<String, String> link = new HashMap<>();
        request.getParameterMap().forEach((name, values) -> {
            if (ofLink(name, request) > 0) {
                link.put(name, values[0]);
            }
        });
        List<FormField> fields = FormField.of(capability);
        Map<String, String> current = current(capability, fields, link, operator);
        Map<String, String> values = new HashMap<>(current);
        values.putAll(link);
        fields.forEach(field -> values.computeIfPresent(field.name(), (name, value) -> field.shown(value, frame)));
        return new Form(
                frame,
                capability,
                fields,
                link,
                values,
                facts(link, frame, operator),
                current.isEmpty() ? "" : ApiKey.hash(String.join("\0", current.values())),
                ConsolePath.of(link.get("back")),
                null);
    }

    /** The values that the change would replace, by the names of its fields; none if it replaces none. */
    private Map<String, String> current(
            Capability capability, List<FormField> fields, Map<String, String> link, Operator operator) {
        Map<String, String> current = new LinkedHashMap<>();
        Replaces replaces = capability.replaces();
        if (replaces != null) {
            Capability source = requireNonNull(capabilities.all().get(replaces.value()), replaces.value());
            JsonNode answer = json.<JsonNode>valueToTree(source.call(link, null, operator, conversion))
                    .at(replaces.at());
            fields.forEach(field -> current.put(field.name(), field.read(answer)));
        }
        return current;
    }

    private Map<String, String> facts(Map<String, String> link, Frame frame, Operator operator) {
        Map<String, String> named = new HashMap<>(link);
        link.forEach((name, value) -> named.putIfAbsent(name + "_id", value));
        return capabilities
                .subject(named.keySet())
                .map(shows -> Facts.of(shows.call(named, null, operator, conversion), frame))
                .orElse(Map.of());
    }

    /** How many values of a parameter stand in the link; those of the form follow. */
    private static int ofLink(String name, HttpServletRequest request) {
        MultiValueMap<String, String> query = UriComponentsBuilder.newInstance()
                .query(request.getQueryString())
                .build()
                .getQueryParams();
        return query.getOrDefault(name, List.of()).size();
    }

    private static String entered(String[] values, String name, HttpServletRequest request) {
        return String.join("\n", Arrays.asList(values).subList(ofLink(name, request), values.length));
    }

    private @Nullable Object call(Form form, Map<String, String> entered, Operator operator) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        for (FormField field : form.fields()) {
            String text = entered.getOrDefault(field.name(), "");
            if (!form.isGiven(field) || !text.isEmpty()) {
                field.put(body, text, form.frame());
            }
        }
        Class<?> type = form.capability().body();
        return form.capability()
                .call(form.link(), type == null ? null : bodies.bind(body, type, ByForm.class), operator, conversion);
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
        String back = filled.apply(form.link().getOrDefault("back", ""));
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
}
