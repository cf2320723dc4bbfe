package dev.ligeiro.gateway.operator.attention;

import dev.ligeiro.support.instance.ServiceInstance;
import dev.ligeiro.support.instance.ServiceInstance.Figure;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of all running processes, added up as Prometheus would. A gauge that no process knows gives null or an empty map, never 0.
 */
final class Figures {

    private final List<Figure> figures;

    private Figures(List<Figure> figures) {
        this.figures = figures;
    }

    static Figures of(List<ServiceInstance> instances) {
        return new Figures(instances.stream()
                .flatMap(instance -> instance.figures().stream())
                .toList());
    }

    /** Those with this value of a tag. */
    Figures with(String tag, String value) {
        return new Figures(figures.stream()
                .filter(figure -> value.equals(figure.tags().get(tag)))
                .toList());
    }

    /** A limit of -1 means none. */
    Figures positive() {
        return new Figures(figures.stream().filter(figure -> figure.value() > 0).toList());
    }

    @Nullable
    Double max(String name) {
        return joined(name, Math::max);
    }

    @Nullable
    Double sum(String name) {
        return joined(name, Double::sum);
    }

    SortedMap<String, Double> maxBy(String tag, String name) {
        return joinedBy(name, figure -> figure.tags().get(tag), Math::max);
    }

    SortedMap<String, Double> minBy(String tag, String name) {
        return joinedBy(name, figure -> figure.tags().get(tag), Math::min);
    }

    /** The sum over all tags, of the larger value if two processes have the same series. */
    @Nullable
    Double sumOfSeries(String name) {
        return named(name).collect(Collectors.toMap(Figure::tags, Figure::value, Math::max)).values().stream()
                .reduce(Double::sum)
                .orElse(null);
    }

    /** How many combinations of tags the gauge has. */
    long seriesOf(String name) {
        return named(name).map(Figure::tags).distinct().count();
    }

    boolean has(String name) {
        return named(name).findAny().isPresent();
    }

    private @Nullable Double joined(String name, BinaryOperator<Double> join) {
        return named(name).map(Figure::value).reduce(join).orElse(null);
    }

    private SortedMap<String, Double> joinedBy(
            String name, Function<Figure, @Nullable String> key, BinaryOperator<Double> join) {
        Map<String, Double> joined = named(name)
                .filter(figure -> key.apply(figure) != null)
                .collect(Collectors.toMap(figure -> String.valueOf(key.apply(figure)), Figure::value, join));
        return new TreeMap<>(joined);
    }

    private Stream<Figure> named(String name) {
        return figures.stream().filter(figure -> figure.name().equals(name));
    }
}
