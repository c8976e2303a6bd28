"""The best pairs of two sets: whose voice is whose, where systems choose their own names."""


def best_pairs(worth):
    """Pairs (row, column) with the largest sum of worth[row][column], each row and each column once at most.

    Pairs that are worth nothing are left out. Hungarian method with prices, rows × columns × rows steps.
    """
    columns = len(worth[0]) if worth else 0
    if len(worth) > columns:
        return sorted((i, j) for j, i in best_pairs([list(column) for column in zip(*worth)]))
    owner = _owners(worth, columns)
    return sorted((i, j) for j, i in enumerate(owner) if i is not None and worth[i][j] > 0)


def _owners(worth, columns):
    """The row of each column. Prices keep worth[i][j] <= row_price[i] + column_price[j]; owned columns are equal."""
    row_price = [max(row) for row in worth]
    column_price = [0.0] * columns
    owner = [None] * columns
    for newcomer in range(len(worth)):
        slack, came_from = [float("inf")] * columns, [None] * columns
        seen_rows, seen_columns = [newcomer], []
        row, column = newcomer, None
        while row is not None:  # until a column is found that nobody owns
            for j in range(columns):
                left = row_price[row] + column_price[j] - worth[row][j]
                if j not in seen_columns and left < slack[j]:
                    slack[j], came_from[j] = left, column
            free = [j for j in range(columns) if j not in seen_columns]
            column = min(free, key=lambda j: slack[j])
            step = slack[column]
            for i in seen_rows:
                row_price[i] -= step
            for j in seen_columns:
                column_price[j] += step
            for j in free:
                slack[j] -= step
            seen_columns.append(column)
            row = owner[column]
            if row is not None:
                seen_rows.append(row)
        while column is not None:
            before = came_from[column]
            owner[column] = owner[before] if before is not None else newcomer
            column = before
    return owner
