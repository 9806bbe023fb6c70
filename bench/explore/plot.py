"""Curves as text: columns are moments, on a scale that shows the beginning too."""

HEIGHT = 10


def plot(name, seconds, curves):
    """Covered lines over time, one letter for each tool; `*` where they meet."""
    everything = [point[1] for points in curves.values() for point in points]
    low, high = min(everything), max(max(everything), min(everything) + 1)
    width = max(len(points) for points in curves.values())
    grid = [[" "] * (width * 6) for _ in range(HEIGHT + 1)]
    for tool, points in curves.items():
        for column, (_, covered, _) in enumerate(points):
            row = HEIGHT - round((covered - low) / (high - low) * HEIGHT)
            place = column * 6 + 3
            grid[row][place] = tool[0].upper() if grid[row][place] == " " else "*"
    lines = [f"{name}: lines covered over {seconds:g} s ({', '.join(f'{t[0].upper()} = {t}' for t in curves)})"]
    for row, cells in enumerate(grid):
        value = round(high - (high - low) * row / HEIGHT)
        lines.append(f"{value:>7} |{''.join(cells)}".rstrip())
    moments = next(iter(curves.values()))
    lines.append(f"{'s':>7} |" + "".join(f"{moment:>5.0f} " for moment, _, _ in moments))
    return "\n".join(lines)
