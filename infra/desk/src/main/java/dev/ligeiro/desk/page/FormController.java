package dev.ligeiro.desk.page;

import static java.util.Objects.requireNonNull;

import dev.ligeiro.desk.http.Bodies;
import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.desk.http.Problem;
import dev.ligeiro.desk.http.ProblemCode;
import dev.ligeiro.desk.http.Replaces;
import dev.ligeiro.desk.operator.Operator;
import dev.ligeiro.merchant.ApiKey;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.convert.ConversionService;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import org.springframework.web.servlet.view.RedirectView;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
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

    /** The form's field with the {@link #fingerprint} of the values that it replaces. */
    private static final String SHOWN = "shown";

    /** The link's parameter with the fields that the form asks for, if those are not all. */
    private static final String FIELDS = "fields";

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
        Visit visit = visit(group, verb, frame, request, operator);
        Map<String, String> current = current(visit);
        Map<String, String> values = new HashMap<>(current);
        values.putAll(visit.link());
        visit.fields()
                .forEach(field -> values.computeIfPresent(field.name(), (name, value) -> field.shown(value, frame)));
        return page(visit, values, current, null, HttpStatus.OK);
    }

    @PostMapping
    ModelAndView send(
            @PathVariable String group,
            @PathVariable String verb,
            @ModelAttribute(name = "frame", binding = false) Frame frame,
            HttpServletRequest request,
            Operator operator,
            RedirectAttributes next) {
        Visit visit = visit(group, verb, frame, request, operator);
        Map<String, String> entered = entered(visit, request);
        Map<String, String> current = current(visit);
        if (!fingerprint(current).equals(entered.getOrDefault(SHOWN, ""))) {
            current.replaceAll((name, value) -> visit.field(name).shown(value, frame));
            Problem changed =
                    Problem.of(ProblemCode.CHANGED_MEANWHILE, "The values have changed since they were shown");
            return page(visit, current, current(visit), changed, HttpStatus.CONFLICT);
        }
        try {
            return done(visit, call(visit, entered), next);
        } catch (Problem refused) {
            if (refused.code() == ProblemCode.INSUFFICIENT_ROLE) {
                throw refused;
            }
            return page(visit, entered, current, refused, refused.code().status());
        }
    }

    /** @param link the parameters of the link that led to the form */
    private record Visit(
            Capability capability, List<FormField> fields, Map<String, String> link, Frame frame, Operator operator) {

        /** A choice or an id that the link names is told, not asked. */
        private Set<String> given() {
            List<String> asked =
                    link.containsKey(FIELDS) ? List.of(link.get(FIELDS).split(",")) : List.of();
            return fields.stream()
                    .filter(field -> link.containsKey(field.name())
                                    && (field.kind() == FormField.Kind.CHOICE || field.kind() == FormField.Kind.ID)
                            || !asked.isEmpty() && !asked.contains(field.name()))
                    .map(FormField::name)
                    .collect(Collectors.toCollection(HashSet::new));
        }

        private FormField field(String name) {
            return fields.stream()
                    .filter(field -> field.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Visit visit(String group, String verb, Frame frame, HttpServletRequest request, Operator operator) {
        Capability capability = capabilities.all().get(group + " " + verb);
        // one without a title has a page of its own
        boolean hasForm = frame.language().find("form." + group + "." + verb) != null;
        if (capability == null || !capability.isChange() || !hasForm) {
            throw Problem.notFound("There is no such form");
        }
        operator.require(capability.role());
        Map<String, String> link = new HashMap<>();
        query(request).forEach((name, values) -> link.put(name, values.get(0)));
        return new Visit(capability, FormField.of(capability), link, frame, operator);
    }

    private static MultiValueMap<String, String> query(HttpServletRequest request) {
        MultiValueMap<String, String> query = new LinkedMultiValueMap<>();
        UriComponentsBuilder.newInstance()
                .query(request.getQueryString())
                .build()
                .getQueryParams()
                .forEach((name, values) ->
                        values.forEach(value -> query.add(decoded(name), value == null ? "" : decoded(value))));
        return query;
    }

    private static String decoded(String text) {
        return UriUtils.decode(text.replace('+', ' '), StandardCharsets.UTF_8);
    }

    /** What the form has sent, and what its link has filled in. */
    private static Map<String, String> entered(Visit visit, HttpServletRequest request) {
        MultiValueMap<String, String> query = query(request);
        Map<String, String> entered = new HashMap<>();
        request.getParameterMap().forEach((name, values) -> {
            int ofLink = query.getOrDefault(name, List.of()).size();
            entered.put(name, String.join("\n", Arrays.asList(values).subList(ofLink, values.length)));
        });
        visit.given().forEach(name -> entered.put(name, visit.link().getOrDefault(name, "")));
        visit.capability()
                .variables()
                .forEach(name -> entered.put(name, visit.link().getOrDefault(name, "")));
        return entered;
    }

    private @Nullable Object call(Visit visit, Map<String, String> entered) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        Map<String, String> parameters = new HashMap<>(entered);
        for (FormField field : visit.fields()) {
            String text = entered.getOrDefault(field.name(), "");
            if (!field.isOfBody()) {
                parameters.put(field.name(), field.sent(text, visit.frame()));
            } else if (!visit.given().contains(field.name()) || !text.isEmpty()) {
                field.put(body, text, visit.frame());
            }
        }
        Class<?> type = visit.capability().body();
        return visit.capability()
                .call(parameters, type == null ? null : bodies.bind(body, type), visit.operator(), conversion);
    }

    /** The values that the change would replace, by the names of its fields; none if it replaces none. */
    private Map<String, String> current(Visit visit) {
        Replaces replaces = visit.capability().replaces();
        if (replaces == null) {
            return new LinkedHashMap<>();
        }
        Capability source = requireNonNull(capabilities.all().get(replaces.value()), replaces.value());
        JsonNode answer = json.<JsonNode>valueToTree(source.call(visit.link(), null, visit.operator(), conversion))
                .at(replaces.at());
        return visit.fields().stream()
                .collect(Collectors.toMap(
                        FormField::name, field -> field.read(answer), (one, same) -> one, LinkedHashMap::new));
    }

    private static String fingerprint(Map<String, String> values) {
        return values.isEmpty() ? "" : ApiKey.hash(String.join("\0", values.values()));
    }

    private ModelAndView page(
            Visit visit,
            Map<String, String> values,
            Map<String, String> current,
            @Nullable Problem problem,
            HttpStatus status) {
        Form form = new Form(
                visit.frame(),
                visit.capability(),
                visit.fields(),
                values,
                visit.given(),
                subject(visit),
                fingerprint(current),
                back(visit),
                problem);
        ModelAndView page = new ModelAndView("page/form").addObject("form", form);
        page.setStatus(status);
        return page;
    }

    private List<Facts.Fact> subject(Visit visit) {
        Map<String, String> named = new HashMap<>();
        visit.link().forEach((name, value) -> {
            named.put(name, value);
            named.putIfAbsent(name + "_id", value);
        });
        return capabilities
                .subject(named.keySet())
                .map(shows -> Facts.of(shows.call(named, null, visit.operator(), conversion), visit.frame()))
                .orElse(List.of());
    }

    private static String back(Visit visit) {
        return ConsolePath.of(visit.link().get("back"));
    }

    /** Shows what the answer reveals once, else goes back with a notice. Both may name members of the answer: {@code {id}}. */
    private ModelAndView done(Visit visit, @Nullable Object answer, RedirectAttributes next) {
        JsonNode members = json.valueToTree(answer);
        Function<String, String> member = name -> members.path(name).asString("");
        String back = ConsolePath.of(filled(String.valueOf(visit.link().getOrDefault("back", "")), member));
        List<String> revealed =
                REVEALED.stream().filter(name -> members.path(name).isString()).toList();
        if (!revealed.isEmpty()) {
            return new ModelAndView("page/once")
                    .addObject("kinds", revealed)
                    .addObject("values", revealed.stream().map(member).toList())
                    .addObject("back", back);
        }
        Capability capability = visit.capability();
        String text = "form." + capability.group() + "." + capability.verb() + ".done";
        next.addFlashAttribute(
                OperatorFrame.NOTICE,
                filled(visit.frame().textOr(text, visit.frame().text("form.done")), member));
        RedirectView redirect = new RedirectView(back, false, false, false);
        redirect.setExpandUriTemplateVariables(false);
        return new ModelAndView(redirect);
    }

    private static String filled(String text, Function<String, String> member) {
        return PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement(member.apply(place.group(1))));
    }
}
